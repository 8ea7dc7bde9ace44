import { phrases, type Random } from './random.ts';
import type { Debtor } from './records.ts';

/** All but the first require an open amount. */
type Situation = 'usual' | 'payment plan' | 'collection' | 'disputed' | 'promised';

export type PaymentProfile = ReturnType<typeof createPaymentProfile>;

export function createPaymentProfile(random: Random, maxOpen: number) {
  /** The average of days between due date and payment; negative if the debtor pays early. */
  const daysLate = random.chance(0.55)
    ? random.integer(-12, 5)
    : random.integer(6, random.chance(0.3) ? 110 : 35);
  /** In cents. */
  const open = createOpenAmount(random, maxOpen, daysLate);
  return { open, daysLate, situation: pickSituation(random, open, daysLate) };
}

function createOpenAmount(random: Random, maxOpen: number, daysLate: number): number {
  // Debtors who pay late usually have an open amount.
  if (random.chance(daysLate > 20 ? 0.08 : 0.35)) return 0;
  if (random.chance(0.02)) return -random.skewed(500, 15_000);
  return random.integer(1_200, 6_000 + Math.floor(maxOpen / 50)) + random.skewed(0, maxOpen);
}

function pickSituation(random: Random, open: number, daysLate: number): Situation {
  if (open <= 0) return 'usual';
  if (daysLate > 30 && open > 15_000 && random.chance(0.3)) return 'payment plan';
  if (daysLate > 45 && open > 5_000 && random.chance(0.6)) return 'collection';
  if (random.chance(0.05)) return 'disputed';
  return daysLate > 10 && random.chance(0.15) ? 'promised' : 'usual';
}

/** Labels that are removed when the situation ends. */
const SITUATION_LABELS: { readonly [situation in Situation]?: string } = {
  'payment plan': 'Betalingsregeling',
  collection: 'Incasso',
};

export function pickLabels(random: Random, { situation, daysLate }: PaymentProfile, isOrganisation: boolean) {
  const names = [
    SITUATION_LABELS[situation],
    isOrganisation && random.chance(0.7) && 'Zakelijk',
    isOrganisation && daysLate < 15 && random.chance(0.15) && 'VIP',
    !isOrganisation && random.chance(0.04) && 'Bewindvoering',
    random.chance(0.05) && 'Niet bellen',
  ];
  return names.flatMap((name) => (name ? [{ name }] : []));
}

const REMARKS: Readonly<Record<Situation, readonly string[]>> = {
  usual: phrases`
    Belt liever na 17:00 uur. | Vraagt altijd om een specificatie. | Wil facturen graag per post ontvangen. |
    Adres gewijzigd op verzoek van de debiteur. | Is op maandag en woensdag bereikbaar.
  `,
  'payment plan': phrases`
    Betaalt in drie termijnen. | Betaalt in zes termijnen, telkens op de 25e. | Eerste termijn van de regeling is voldaan.
  `,
  collection: phrases`
    Dossier overgedragen aan het incassobureau. | Reageert niet op aanmaningen. | Laatste aanmaning is retour gekomen.
  `,
  disputed: phrases`
    Betwist de factuur; wacht op de specificatie. | Zegt de factuur niet te hebben ontvangen. | Verwacht een creditnota.
  `,
  promised: phrases`Heeft toegezegd vóór het einde van de maand te betalen. | Heeft uitstel gevraagd tot de 15e.`,
};

/** Returns the fields that a situation sets. */
export function situationFields(random: Random, situation: Situation, since: string) {
  return {
    remark: random.orNull(situation === 'usual' ? 0.85 : 0.3, () => random.pick(REMARKS[situation])),
    paused_at: situation === 'disputed' ? since : null,
    reminding_paused_at: situation === 'payment plan' || situation === 'promised' ? since : null,
  };
}

/** Returns the fields of a debtor that has paid everything. */
export function settledFields({ labels = [] }: Debtor): Partial<Debtor> {
  const ended = Object.values(SITUATION_LABELS);
  const remaining = labels.filter(({ name }) => !ended.includes(name));
  return { labels: remaining, remark: null, paused_at: null, reminding_paused_at: null };
}

/** Limits are round numbers, mostly above the open amount. */
export function creditLimit(random: Random, { open }: PaymentProfile): number {
  const steps = [50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000];
  const sufficient = steps.findIndex((step) => step >= open);
  const lowest = random.chance(0.9) ? Math.max(sufficient, 0) : 0;
  return random.pick(steps.slice(lowest, lowest + 3));
}
