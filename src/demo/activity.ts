import { createDebtor } from './data/debtors.ts';
import { createInsurerResponse } from './data/declaration-lines.ts';
import { EDGE_CASE_ADMINISTRATION } from './data/edge-cases.ts';
import type { DemoData } from './data/generate.ts';
import { settledFields, situationFields } from './data/payment-profile.ts';
import { createRandom, formatAmount, parseCents, type Random } from './data/random.ts';
import type { Debtor, DeclarationLine } from './data/records.ts';
import { createDeletedCreditCase, createDeletedPayment } from './data/work.ts';
import type { ServiceState } from './service-state.ts';

/** No more debtors are created after this many, which takes hours: the service may run for weeks. */
const MAX_DEBTORS = 4_000;
/** Limits each list of deleted records; the oldest are dropped, even within their 90 days. */
const MAX_DELETED = 1_500;

/** Changes something in an administration. */
type SimulatedEvent = (scene: {
  data: DemoData;
  random: Random;
  administrationId: string;
  now: string;
}) => void;

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
    let remaining: SimulatedEvent[] = [];
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

const payment: SimulatedEvent = (scene) =>
  changeRecord(scene.data.debtors, scene, isOwing, (debtor) => {
    const { random } = scene;
    const left = random.chance(0.25) ? 0 : Math.floor((getOpenCents(debtor) * random.integer(10, 90)) / 100);
    return { book_open_amount: formatAmount(left), ...(left === 0 && settledFields(debtor)) };
  });

const invoice: SimulatedEvent = (scene) => {
  const isTrusted = (debtor: Debtor) => getOpenCents(debtor) < 4 * largestInvoice(debtor);
  changeRecord(scene.data.debtors, scene, isTrusted, (debtor) => {
    const amount = scene.random.skewed(2_500, largestInvoice(debtor));
    return { book_open_amount: formatAmount(getOpenCents(debtor) + amount) };
  });
};

/** Starts or ends a dispute or a promise. */
const debtorEdited: SimulatedEvent = (scene) =>
  changeRecord(scene.data.debtors, scene, isOwing, (debtor) => {
    if (debtor.paused_at ?? debtor.reminding_paused_at) return settledFields(debtor);
    return situationFields(scene.random, scene.random.pick(['disputed', 'promised']), scene.now);
  });

const debtorCreated: SimulatedEvent = ({ data: { debtors }, random, now, administrationId }) => {
  if (debtors.length >= MAX_DEBTORS) return;
  const debtor = createDebtor(random, nextId(debtors), administrationId, debtors.length);
  const book_open_amount = formatAmount(random.skewed(2_500, largestInvoice(debtor)));
  const fields = { ...settledFields(debtor), book_open_amount, payment_behaviour: null, updated_at: now };
  debtors.push({ ...debtor, ...fields });
};

/** An insurer may reject a claim that it has paid, so that changes never run out. */
const claimAnswered: SimulatedEvent = (scene) => {
  const isOpen = (line: DeclarationLine) => line.claim && !line.credit_invoice_identifier;
  changeRecord(scene.data.declarationLines, scene, isOpen, (line) => {
    const statuses = ['failed', 'action_required', 'auto_resubmit'] as const;
    const claim_status = scene.random.pick(['submitted', 'processed', 'processed', ...statuses] as const);
    return { claim_status, ...createInsurerResponse(scene.random, line.amount ?? '0.00', claim_status) };
  });
};

const caseDeleted: SimulatedEvent = ({ data, random, administrationId, now }) => {
  const debtors = data.debtors.filter(({ administration_id }) => administration_id === administrationId);
  const id = nextId(data.deletedCreditCases);
  addDeleted(data.deletedCreditCases, createDeletedCreditCase(random, id, random.pick(debtors)), now);
};

const paymentDeleted: SimulatedEvent = ({ data: { deletedPayments }, random, administrationId, now }) =>
  addDeleted(deletedPayments, createDeletedPayment(random, nextId(deletedPayments), administrationId), now);

function addDeleted<R>(records: R[], record: R, deleted_at: string): void {
  records.push({ ...record, deleted_at });
  if (records.length > MAX_DELETED) records.shift();
}

/** The events of a round, which happen in random order: each kind happens within a minute. */
const ROUND: readonly SimulatedEvent[] = [
  ...[payment, payment, payment, payment, invoice, invoice, invoice, claimAnswered, claimAnswered],
  ...[debtorEdited, debtorCreated, caseDeleted, paymentDeleted],
];

/** Changes one record, half of the time on the first page of its list. Gives up after many unsuitable picks. */
function changeRecord<R extends { administration_id: string; updated_at: string }>(
  records: R[],
  { random, administrationId, now }: Parameters<SimulatedEvent>[0],
  isWanted: (record: R) => boolean,
  change: (record: R) => Partial<R>,
): void {
  for (let tries = 0; tries < 200; tries += 1) {
    const among = random.pick([15, 75, records.length, records.length]);
    const index = random.integer(0, Math.min(among, records.length) - 1);
    const record = records[index];
    if (record?.administration_id !== administrationId || !isWanted(record)) continue;
    records[index] = { ...record, ...change(record), updated_at: now };
    return;
  }
}

/** Records are sorted by id, and ids are three apart. */
function nextId(records: readonly { id: string }[]): string {
  return String(Number(records.at(-1)?.id ?? 0) + 3);
}

const getOpenCents = ({ book_open_amount }: Debtor) => parseCents(book_open_amount);
const isOwing = (debtor: Debtor) => getOpenCents(debtor) > 0;
/** In cents; only organisations have a `coc_number`. */
const largestInvoice = ({ coc_number }: Debtor) => (coc_number ? 120_000 : 50_000);
