import { createDebtor } from './data/debtors.ts';
import { createInsurerResponse } from './data/declaration-lines.ts';
import { EDGE_CASE_ADMINISTRATION } from './data/edge-cases.ts';
import type { DemoData } from './data/generate.ts';
import { settledFields } from './data/payment-profile.ts';
import { createRandom, formatAmount, parseCents, type Random, repeated } from './data/random.ts';
import { createDeletedCreditCase, createDeletedPayment } from './data/work.ts';
import type { ServiceState } from './service-state.ts';

/** No more debtors are created after this many, which takes hours: the service may run for weeks. */
const MAX_DEBTORS = 4_000;
/** Limits each list of deleted records; the oldest are dropped, even within their 90 days. */
const MAX_DELETED = 1_500;

/** An event happens here and now. */
interface Scene {
  readonly data: DemoData;
  readonly random: Random;
  readonly administrationId: string;
  readonly now: string;
}

/**
 * Returns a function that changes something in the first administration and, at every fourth call on average, in another
 * one. The same seed leads to the same changes.
 */
export function createActivity(
  { data, now }: Pick<ServiceState, 'data' | 'now'>,
  seed = 20250702,
): () => void {
  const random = createRandom(seed);
  // Edge cases never change, so that tests of clients find them.
  const administrations = data.administrations.filter(({ id }) => id !== EDGE_CASE_ADMINISTRATION);
  const [runFirst, ...runOthers] = administrations.map(({ id: administrationId }) => {
    let remaining: typeof ROUND = [];
    return () => {
      if (remaining.length === 0) remaining = [...ROUND];
      const [event] = remaining.splice(random.integer(0, remaining.length - 1), 1);
      event?.({ data, random, administrationId, now: new Date(now()).toISOString() });
    };
  });
  return () => {
    runFirst?.();
    if (runOthers.length > 0 && random.chance(0.25)) random.pick(runOthers)();
  };
}

/** Sends an invoice to a debtor or receives a payment. */
function changeOpenAmount(scene: Scene): void {
  const { random } = scene;
  changeRecord(scene.data.debtors, scene, (debtor) => {
    const open = parseCents(debtor.book_open_amount);
    // Only organisations have a `coc_number`.
    const largestInvoice = debtor.coc_number ? 120_000 : 50_000;
    if (open <= 0 || (open < 4 * largestInvoice && random.chance(0.4)))
      return { book_open_amount: formatAmount(open + random.skewed(2_500, largestInvoice)) };
    const left = random.chance(0.25) ? 0 : Math.floor((open * random.integer(10, 90)) / 100);
    return { book_open_amount: formatAmount(left), ...(left === 0 && settledFields(debtor)) };
  });
}

function addDebtor({ data: { debtors }, random, now, administrationId }: Scene): void {
  if (debtors.length >= MAX_DEBTORS) return;
  const debtor = createDebtor(random, nextId(debtors), administrationId, debtors.length);
  const fields = { ...settledFields(debtor), payment_behaviour: null, updated_at: now };
  debtors.push({ ...debtor, ...fields });
}

/** An insurer may reject a claim that it has paid, so that changes never run out. */
function answerClaim(scene: Scene): void {
  changeRecord(scene.data.declarationLines, scene, (line) => {
    if (!line.claim || line.credit_invoice_identifier) return undefined;
    const statuses = ['failed', 'action_required', 'auto_resubmit'] as const;
    const claim_status = scene.random.pick(['submitted', 'processed', 'processed', ...statuses] as const);
    return { claim_status, ...createInsurerResponse(scene.random, line.amount ?? '0.00', claim_status) };
  });
}

function deleteCase({ data, random, administrationId, now }: Scene): void {
  const debtors = data.debtors.filter(({ administration_id }) => administration_id === administrationId);
  const id = nextId(data.deletedCreditCases);
  addDeleted(data.deletedCreditCases, createDeletedCreditCase(random, id, random.pick(debtors)), now);
}

function deletePayment({ data: { deletedPayments }, random, administrationId, now }: Scene): void {
  addDeleted(deletedPayments, createDeletedPayment(random, nextId(deletedPayments), administrationId), now);
}

function addDeleted<R>(records: R[], record: R, deleted_at: string): void {
  records.push({ ...record, deleted_at });
  if (records.length > MAX_DELETED) records.shift();
}

/** The events of a round, which happen in random order: each kind happens within a minute. */
const ROUND = [...repeated([changeOpenAmount, 7], [answerClaim, 2]), addDebtor, deleteCase, deletePayment];

/** Changes one record, often one on the first page of its list. Gives up after picking many that cannot change. */
function changeRecord<R extends { administration_id: string; updated_at: string }>(
  records: R[],
  { random, administrationId, now }: Scene,
  change: (record: R) => Partial<R> | undefined,
): void {
  for (let tries = 0; tries < 200; tries += 1) {
    const among = random.pick([15, 75, records.length, records.length]);
    const index = random.integer(0, Math.min(among, records.length) - 1);
    const record = records[index];
    const changed = record?.administration_id === administrationId && change(record);
    if (!changed) continue;
    records[index] = { ...record, ...changed, updated_at: now };
    return;
  }
}

/** Records are sorted by id, and ids are three apart. */
function nextId(records: readonly { id: string }[]): string {
  return String(Number(records.at(-1)?.id ?? 0) + 3);
}
