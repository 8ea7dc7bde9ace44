import { createDebtor } from './debtors.ts';
import { createDeclarationLine } from './declaration-lines.ts';
import * as odd from './edge-cases.ts';
import { createRandom, repeated } from './random.ts';
import type { CompanyRecord } from './records.ts';
import { createDeletedCreditCase, createDeletedPayment, createTask } from './work.ts';

export type DemoData = Readonly<ReturnType<typeof generateData>>;

const companies: readonly CompanyRecord[] = [
  { id: '101', name: 'Zorggroep Noord B.V.', status: 'active', trial: false, trial_ends_on: null },
  { id: '102', name: 'Møller & Zonen', status: 'active', trial: false },
  { id: '103', name: 'Café Liberté', status: 'active', trial: true, trial_ends_on: '2025-12-31' },
];

/** Sent only inside an introspection. */
const administrations = [
  { id: '1001', name: 'Zorggroep Noord: Facturatie', company_id: '101' },
  { id: '1002', name: 'Zorggroep Noord: Praktijk Groningen', company_id: '101' },
  { id: odd.EDGE_CASE_ADMINISTRATION, name: 'Odd cases (for testing clients)', company_id: '101' },
  { id: '2001', name: 'Møller & Zonen', company_id: '102' },
];

/** Of every twelve records, eight belong to the first administration, three to the second, one to the third. */
const shares = repeated(['1001', 8], ['1002', 3], ['2001', 1]);

/** Each part is generated when it is first read, once for all services, as if started at the beginning of the epoch. */
const allDebtors = once(() =>
  createMany(3600, 300_001, 521_368, odd.debtors, createDebtor.bind(null, createRandom(2_148_549))),
);
const allLines = once(() =>
  createMany(2400, 600_001, 28_382, odd.lines, createDeclarationLine.bind(null, createRandom(807))),
);

const others = once(() => {
  const random = createRandom(271);
  const own = new Map(
    administrations.map(({ id }) => [id, allDebtors().filter((debtor) => debtor.administration_id === id)]),
  );
  const debtorOf = (administration: string) => random.pick(own.get(administration) ?? []);
  const createMessage = (id: string, administration_id: string) => {
    return { id, administration_id, read: random.chance(0.5) };
  };
  return {
    tasks: createMany(1440, 400_001, 48_021, odd.tasks, (id, administration) =>
      createTask(random, id, debtorOf(administration)),
    ),
    messages: createMany(2100, 500_001, 5_870_087, odd.messages, createMessage),
    deletedCreditCases: createMany(600, 700_001, 11_041, odd.casesOf(allDebtors()), (id, administration) =>
      createDeletedCreditCase(random, id, debtorOf(administration)),
    ),
    deletedPayments: createMany(720, 800_001, 98_514, odd.payments, createDeletedPayment.bind(null, random)),
  };
});

/**
 * Everything except `deleted_at` is the same at every start. A service has a copy of what changes. Lists are in the order
 * of ids: updates replace a record, deletions remove it.
 */
export function generateData(startedAt: number) {
  const sinceStart = <R extends { deleted_at: string }>(record: R): R => ({
    ...record,
    deleted_at: new Date(startedAt + Date.parse(record.deleted_at)).toISOString(),
  });
  return lazily({
    companies: () => companies,
    administrations: () => administrations,
    debtors: () => [...allDebtors()],
    declarationLines: () => [...allLines()],
    tasks: () => others().tasks.map((task) => ({ ...task })),
    messages: () => others().messages.map((message) => ({ ...message })),
    deletedCreditCases: () => others().deletedCreditCases.map(sinceStart),
    deletedPayments: () => others().deletedPayments.map(sinceStart),
  });
}

/**
 * So many plausible records from an id on, and the odd ones behind them. Ids have gaps and are interleaved across
 * administrations, like ids of a shared table; the seed says whose they are.
 */
function createMany<R>(
  count: number,
  firstId: number,
  seed: number,
  edgeCases: readonly Omit<R, 'id' | 'administration_id'>[],
  create: (id: string, administrationId: string, index: number) => R,
): readonly Readonly<R>[] {
  const owner = createRandom(seed);
  const idAt = (index: number) => String(firstId + index * 3);
  const records = Array.from({ length: count }, (_, at) => create(idAt(at), owner.pick(shares), at));
  for (const record of edgeCases) {
    records.push({
      id: idAt(records.length),
      administration_id: odd.EDGE_CASE_ADMINISTRATION,
      ...record,
    } as R);
  }
  // A change would be one at all services.
  return records.map((record) => Object.freeze(record));
}

/** An object whose members are made when they are first read. */
function lazily<T extends object>(create: { readonly [member in keyof T]: () => T[member] }): T {
  const members = Object.entries<() => unknown>(create);
  const getters = members.map(([member, make]) => [member, { get: once(make), enumerable: true }]);
  return Object.defineProperties({} as T, Object.fromEntries(getters));
}

function once<T>(create: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= create());
}
