import { createDebtor } from './debtors.ts';
import { createDeclarationLine } from './declaration-lines.ts';
import * as edge from './edge-cases.ts';
import { createRandom, repeated } from './random.ts';
import type { CompanyRecord } from './records.ts';
import { createDeletedCreditCase, createDeletedPayment, createTask } from './work.ts';

export type DemoData = Readonly<ReturnType<typeof generateData>>;

const companies: readonly CompanyRecord[] = [
  { id: '101', name: 'Zorggroep Noord B.V.', status: 'active', trial: false, trial_ends_on: null },
  { id: '102', name: 'Møller & Zonen', status: 'active', trial: false },
  { id: '103', name: 'Café Liberté', status: 'active', trial: true, trial_ends_on: '2025-12-31' },
];

const administrations = [
  { id: '1001', name: 'Zorggroep Noord: Facturatie', company_id: '101' },
  { id: '1002', name: 'Zorggroep Noord: Praktijk Groningen', company_id: '101' },
  { id: edge.EDGE_CASE_ADMINISTRATION, name: 'Odd cases (for testing clients)', company_id: '101' },
  { id: '2001', name: 'Møller & Zonen', company_id: '102' },
];

const shares = repeated(['1001', 8], ['1002', 3], ['2001', 1]);

/** Each list is generated at its first use, once for all services, as if a service started at the Unix epoch. */
const allDebtors = once(() =>
  createMany(3600, 300_001, 521_368, edge.debtors, createDebtor.bind(null, createRandom(2_148_549))),
);
const allLines = once(() =>
  createMany(2400, 600_001, 28_382, edge.lines, createDeclarationLine.bind(null, createRandom(807))),
);

const otherLists = once(() => {
  const random = createRandom(271);
  const debtors = new Map(
    administrations.map(({ id }) => [id, allDebtors().filter((debtor) => debtor.administration_id === id)]),
  );
  const pickDebtor = (administrationId: string) => random.pick(debtors.get(administrationId) ?? []);
  const createMessage = (id: string, administration_id: string) => {
    return { id, administration_id, read: random.chance(0.5) };
  };
  const unusualCases = edge.deletedCases(allDebtors());
  return {
    tasks: createMany(1440, 400_001, 48_021, [], (id, administrationId) =>
      createTask(random, id, pickDebtor(administrationId)),
    ),
    messages: createMany(2100, 500_001, 5_870_087, [], createMessage),
    deletedCreditCases: createMany(600, 700_001, 11_041, unusualCases, (id, administrationId) =>
      createDeletedCreditCase(random, id, pickDebtor(administrationId)),
    ),
    deletedPayments: createMany(720, 800_001, 98_514, edge.payments, createDeletedPayment.bind(null, random)),
  };
});

/**
 * Returns the data of a service; only `deleted_at` depends on its start. Each service has its own copy of what changes.
 * Lists are sorted by id.
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
    tasks: () => otherLists().tasks.map((task) => ({ ...task })),
    messages: () => otherLists().messages.map((message) => ({ ...message })),
    deletedCreditCases: () => otherLists().deletedCreditCases.map(sinceStart),
    deletedPayments: () => otherLists().deletedPayments.map(sinceStart),
  });
}

/**
 * Creates `count` plausible records, followed by the edge cases. Ids have gaps and are interleaved across administrations,
 * like ids of a shared table.
 */
function createMany<R>(
  count: number,
  firstId: number,
  seed: number,
  extras: readonly Omit<R, 'id' | 'administration_id'>[],
  create: (id: string, administrationId: string, index: number) => R,
): readonly Readonly<R>[] {
  const administrationRandom = createRandom(seed);
  const idAt = (index: number) => String(firstId + index * 3);
  const records = Array.from({ length: count }, (_, at) =>
    create(idAt(at), administrationRandom.pick(shares), at),
  );
  const administration_id = edge.EDGE_CASE_ADMINISTRATION;
  for (const record of extras) records.push({ id: idAt(records.length), administration_id, ...record } as R);
  // All services share these records.
  return records.map((record) => Object.freeze(record));
}

/** Returns an object that creates each member when it is first read. */
function lazily<T extends object>(create: { readonly [member in keyof T]: () => T[member] }): T {
  const members = Object.entries<() => unknown>(create);
  const getters = members.map(([member, make]) => [member, { get: once(make), enumerable: true }]);
  return Object.defineProperties({} as T, Object.fromEntries(getters));
}

function once<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}
