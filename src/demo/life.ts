import { createDebtor, organisationMail, personMail } from './data/debtors.ts';
import { answerTo } from './data/declaration-lines.ts';
import type { DemoData } from './data/generate.ts';
import { ODD_ADMINISTRATION } from './data/odd-records.ts';
import { amountOf, centsOf, createRandom, type Random, repeated } from './data/random.ts';
import type { ClaimStatus, Debtor, DeclarationLine } from './data/records.ts';
import { CALL_LABEL, IMPORTANT_LABEL, remarkFor, settled, situationFields } from './data/standing.ts';
import { createDeletedCreditCase, createDeletedPayment } from './data/work.ts';

/** New debtors come until there are so many, which takes hours: the service may run for weeks. */
const MAX_DEBTORS = 4_000;
/** Of each list of deleted records: beyond, the oldest are forgotten, even before their 90 days have passed. */
const MAX_DELETED = 1_500;
/** A quarter of what happens, happens to the first rows of a list, and another to its first page. */
const FIRST_ROWS = 15;
const FIRST_PAGE = 75;

/** What happens in a round, each time in another order: within a minute there is something of everything. */
const ROUND = repeated<Happening>(
  ['payment', 4],
  ['invoice', 3],
  ['debtorEdited', 1],
  ['debtorCreated', 1],
  ['claimAnswered', 2],
  ['caseDeleted', 1],
  ['paymentDeleted', 1],
);

/**
 * What goes on in the administrations by itself: each call lets something happen in the first one, and now and then in
 * another one too. The same seed leads to the same changes.
 */
export function createLife({ data, now }: Pick<Scene, 'data' | 'now'>, seed = 20250702): () => void {
  const random = createRandom(seed);
  // The odd cases stay as they are, for tests of clients that look for them.
  const living = data.administrations.filter(({ id }) => id !== ODD_ADMINISTRATION);
  const [goOn, ...others] = living.map(({ id }) => {
    const scene: Scene = { data, random, now, administrationId: id };
    const ahead: Happening[] = [];
    return () => {
      if (ahead.length === 0) ahead.push(...shuffled(ROUND, random));
      const next = ahead.pop();
      if (next) happenings[next](scene);
    };
  });
  return () => {
    goOn?.();
    if (others.length > 0 && random.chance(0.25)) random.pick(others)();
  };
}

/** Where something happens. */
interface Scene {
  readonly data: DemoData;
  readonly random: Random;
  readonly now: () => number;
  readonly administrationId: string;
}

type Happening = keyof typeof happenings;

const happenings = {
  payment(scene: Scene): void {
    const { random, data } = scene;
    changeOne(data.debtors, scene, isOwing, (debtor) => {
      const left = random.chance(0.25) ? 0 : Math.floor((openOf(debtor) * random.integer(10, 90)) / 100);
      return { book_open_amount: amountOf(left), ...(left === 0 && settled(debtor)) };
    });
  },

  invoice(scene: Scene): void {
    const isTrusted = (debtor: Debtor) => openOf(debtor) < 4 * largestInvoice(debtor);
    changeOne(scene.data.debtors, scene, isTrusted, (debtor) => {
      const amount = scene.random.skewed(2_500, largestInvoice(debtor));
      return { book_open_amount: amountOf(openOf(debtor) + amount) };
    });
  },

  debtorEdited(scene: Scene): void {
    const { random, now, data } = scene;
    changeOne(data.debtors, scene, undefined, (debtor) =>
      random.pick(EDITS)(debtor, random, momentOf(now())),
    );
  },

  debtorCreated({ data: { debtors }, random, now, administrationId }: Scene): void {
    if (debtors.length >= MAX_DEBTORS) return;
    const id = nextId(debtors);
    const debtor = createDebtor(random, id, 10_000 + debtors.length, administrationId);
    const invoiced = amountOf(random.skewed(2_500, largestInvoice(debtor)));
    debtors.push({
      ...debtor,
      ...settled(debtor),
      book_open_amount: invoiced,
      payment_behaviour: null,
      updated_at: momentOf(now()),
    });
  },

  claimAnswered(scene: Scene): void {
    const { random, data } = scene;
    const isOpen = (line: DeclarationLine) => line.claim && !line.credit_invoice_identifier;
    changeOne(data.declarationLines, scene, isOpen, (line) => {
      const claim_status = random.pick(NEXT_STATUS[line.claim_status ?? 'draft']);
      return { claim_status, ...answerTo(random, line.amount ?? '0.00', claim_status) };
    });
  },

  caseDeleted(scene: Scene): void {
    const { random, now } = scene;
    const { debtors, deletedCreditCases } = scene.data;
    const debtor = pickOwn(debtors, scene);
    if (!debtor) return;
    const created = createDeletedCreditCase(random, nextId(deletedCreditCases), debtor);
    add(deletedCreditCases, { ...created, deleted_at: momentOf(now()) });
  },

  paymentDeleted({ data: { deletedPayments }, random, now, administrationId }: Scene): void {
    const created = createDeletedPayment(random, nextId(deletedPayments), administrationId);
    add(deletedPayments, { ...created, deleted_at: momentOf(now()) });
  },
};

type Edit = (debtor: Debtor, random: Random, now: string) => Partial<Debtor>;

const EDITS: readonly Edit[] = [
  (debtor, random) => (isPaused(debtor) ? {} : { remark: debtor.remark ? null : remarkFor(random, 'usual') }),
  // A dispute or a promise ends, or begins where there is something to pay.
  (debtor, random, now) => {
    if (isPaused(debtor) || !isOwing(debtor)) return settled(debtor);
    return situationFields(random, random.pick(['disputed', 'promised']), now);
  },
  (debtor, random) => ({
    primary_email_address: isOrganisation(debtor)
      ? organisationMail(debtor.name, random.pick(['post', 'info', 'contact']))
      : personMail(debtor.name, random.pick(['whole', 'initial'])),
  }),
  (debtor) => {
    const name = isOrganisation(debtor) ? IMPORTANT_LABEL : CALL_LABEL;
    const { labels = [] } = debtor;
    const others = labels.filter((label) => label.name !== name);
    return { labels: others.length < labels.length ? others : [...labels, { name }] };
  },
];

/** An insurer may object to what it has paid, so that there is something to do for weeks. */
const NEXT_STATUS: Readonly<Record<ClaimStatus, readonly ClaimStatus[]>> = {
  draft: ['submitted'],
  submitted: ['processed', 'processed', 'failed', 'action_required'],
  processed: ['action_required'],
  failed: ['action_required', 'auto_resubmit'],
  action_required: ['submitted'],
  auto_resubmit: ['submitted'],
};

function changeOne<R extends { administration_id: string; updated_at: string }>(
  records: R[],
  scene: Scene,
  isWanted: ((record: R) => boolean) | undefined,
  change: (record: R) => Partial<R>,
): void {
  const record = pickOwn(records, scene, isWanted);
  if (!record) return;
  records[records.indexOf(record)] = { ...record, ...change(record), updated_at: momentOf(scene.now()) };
}

/** A record of the administration, unless many picks in a row find none. */
function pickOwn<R extends { administration_id: string }>(
  records: readonly R[],
  { random, administrationId }: Scene,
  isWanted: (record: R) => boolean = () => true,
): R | undefined {
  for (let tries = 0; tries < 200; tries += 1) {
    const among = random.pick([FIRST_ROWS, FIRST_PAGE, records.length, records.length]);
    const record = records[random.integer(0, Math.min(among, records.length) - 1)];
    if (record?.administration_id === administrationId && isWanted(record)) return record;
  }
  return undefined;
}

/** Records are in the order of their ids, three apart. */
function nextId(records: readonly { id: string }[]): string {
  return String(Number(records.at(-1)?.id ?? 0) + 3);
}

function add<R extends { deleted_at: string }>(records: R[], record: R): void {
  records.push(record);
  if (records.length <= MAX_DELETED) return;
  const oldest = records.reduce((one, other) => (other.deleted_at < one.deleted_at ? other : one));
  records.splice(records.indexOf(oldest), 1);
}

const openOf = ({ book_open_amount }: Debtor) => centsOf(book_open_amount);
const isOwing = (debtor: Debtor) => openOf(debtor) > 0;
const isPaused = ({ paused_at, reminding_paused_at }: Debtor) => Boolean(paused_at ?? reminding_paused_at);
/** Only organisations are registered. */
const isOrganisation = ({ coc_number }: Debtor) => Boolean(coc_number);
/** In cents. */
const largestInvoice = (debtor: Debtor) => (isOrganisation(debtor) ? 120_000 : 50_000);
const momentOf = (now: number) => new Date(now).toISOString();

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, place: random.integer(0, 1_000_000) }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
