import { createDebtor } from './data/debtors.ts';
import { type DemoData, monitoring } from './data/generate.ts';
import * as names from './data/names.ts';
import { type Random, withPlausibleAmounts } from './data/random.ts';
import type { ClaimStatus, Debtor, DeclarationLine } from './data/records.ts';
import { createDeletedCreditCase, createDeletedPayment } from './data/work.ts';

/** New debtors come until there are so many, which takes hours: the service may run for weeks. */
const MAX_DEBTORS = 4_000;
/** Of each list of deleted records: beyond, the oldest are forgotten, even before their 90 days have passed. */
const MAX_DELETED = 1_500;
/** Half of what happens to debtors and lines happens to the first ones, which pages show. */
const FIRST = 75;
/** In cents: amounts beyond it are there for their digits, and no sum that anybody pays. */
const IMPLAUSIBLE = 1_000_000_000n;

/** Where something happens. */
export interface Scene {
  readonly data: DemoData;
  readonly random: Random;
  readonly now: () => number;
  readonly administrationId: string;
}

export type Happening = keyof typeof happenings;

export const happenings = {
  payment(scene: Scene): void {
    const isOwing = (debtor: Debtor) => openCents(debtor) > 0n && openCents(debtor) < IMPLAUSIBLE;
    changeDebtor(scene, isOwing, (debtor, { random }) => {
      const open = openCents(debtor);
      const left = random.chance(0.25) ? 0n : (open * BigInt(random.integer(10, 90))) / 100n;
      return { book_open_amount: amountOf(left) };
    });
  },

  invoice(scene: Scene): void {
    const isCustomer = (debtor: Debtor) => openCents(debtor) < IMPLAUSIBLE / 10n;
    changeDebtor(scene, isCustomer, (debtor, { random }) => ({
      book_open_amount: amountOf(openCents(debtor) + BigInt(random.integer(2_500, 250_000))),
    }));
  },

  debtorEdited(scene: Scene): void {
    changeDebtor(
      scene,
      () => true,
      (debtor, { random, now }) => random.pick(EDITS)(debtor, random, now()),
    );
  },

  debtorCreated({ data: { debtors }, random, now, administrationId }: Scene): void {
    if (debtors.length >= MAX_DEBTORS) return;
    const id = nextId(debtors);
    const debtor = createDebtor(withPlausibleAmounts(random), {
      id,
      number: 10_000 + debtors.length,
      administrationId,
      monitoring: monitoring[administrationId] ?? 'none',
    });
    debtors.push({ ...debtor, paused_at: null, reminding_paused_at: null, updated_at: momentOf(now()) });
  },

  claimAnswered(scene: Scene): void {
    const { random, now } = scene;
    const { declarationLines } = scene.data;
    const line = pickOwn(declarationLines, scene, ({ claim }) => claim);
    if (!line) return;
    const claim_status = random.pick(NEXT_STATUS[line.claim_status ?? 'draft']);
    const outcome = { claim_status, ...outcomeOf(line, claim_status, random), updated_at: momentOf(now()) };
    declarationLines[declarationLines.indexOf(line)] = { ...line, ...outcome };
  },

  caseDeleted(scene: Scene): void {
    const { random, now } = scene;
    const { debtors, deletedCreditCases } = scene.data;
    const debtor = pickOwn(debtors, scene);
    if (!debtor) return;
    const created = createDeletedCreditCase(random, nextId(deletedCreditCases), debtor, now());
    add(deletedCreditCases, { ...created, deleted_at: momentOf(now()) });
  },

  paymentDeleted({ data: { deletedPayments }, random, now, administrationId }: Scene): void {
    const created = createDeletedPayment(random, nextId(deletedPayments), administrationId, now());
    add(deletedPayments, { ...created, deleted_at: momentOf(now()) });
  },
};

type Edit = (debtor: Debtor, random: Random, now: number) => Partial<Debtor>;

const EDITS: readonly Edit[] = [
  ({ remark }, random) => ({ remark: remark ? null : random.pick(names.remarks) }),
  ({ paused_at }, _random, now) => ({ paused_at: paused_at ? null : momentOf(now) }),
  ({ reminding_paused_at: paused }, _random, now) => ({ reminding_paused_at: paused ? null : momentOf(now) }),
  ({ debtor_number }, random) => ({
    primary_email_address: `${random.pick(['post', 'info', 'mail'])}.${debtor_number.slice(1)}@example.com`,
  }),
  ({ labels = [] }, random) => {
    const name = random.pick(names.labels);
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

function outcomeOf(
  { amount = null }: DeclarationLine,
  status: ClaimStatus,
  random: Random,
): Partial<DeclarationLine> {
  if (status === 'processed') {
    return { reimbursed_amount: amount, rejected_amount: null, claim_response_codes: ['0200'] };
  }
  if (status !== 'failed') return {};
  const codes = [random.pick(names.claimResponseCodes)];
  return { reimbursed_amount: null, rejected_amount: amount, claim_response_codes: codes };
}

function changeDebtor(
  scene: Scene,
  mayChange: (debtor: Debtor) => boolean,
  change: (debtor: Debtor, scene: Scene) => Partial<Debtor>,
): void {
  const { debtors } = scene.data;
  const debtor = pickOwn(debtors, scene, mayChange);
  if (!debtor) return;
  const changed = { ...debtor, ...change(debtor, scene), updated_at: momentOf(scene.now()) };
  debtors[debtors.indexOf(debtor)] = changed;
}

/** A record of the administration, unless many picks in a row find none. */
function pickOwn<R extends { administration_id: string }>(
  records: readonly R[],
  { random, administrationId }: Scene,
  isWanted: (record: R) => boolean = () => true,
): R | undefined {
  for (let tries = 0; tries < 200; tries += 1) {
    const among = random.chance(0.5) ? Math.min(FIRST, records.length) : records.length;
    const record = records[random.integer(0, among - 1)];
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

function openCents({ book_open_amount: amount }: Debtor): bigint {
  return BigInt((amount ?? '0.00').replace('.', ''));
}

function amountOf(cents: bigint): string {
  const digits = String(cents).replace('-', '').padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function momentOf(now: number): string {
  return new Date(now).toISOString();
}
