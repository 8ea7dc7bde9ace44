import { createDebtor } from './debtors.ts';
import { createDeclarationLine } from './declaration-lines.ts';
import {
  createOddCases,
  createOddPayments,
  ODD_ADMINISTRATION,
  oddDebtors,
  oddLines,
  oddTasks,
} from './odd-records.ts';
import { createRandom, type Random, repeated } from './random.ts';
import type { AdministrationRecord, CompanyRecord, Debtor } from './records.ts';
import { createDeletedCreditCase, createDeletedPayment, createTask } from './work.ts';

export type DemoData = Readonly<ReturnType<typeof generateData>>;

const companies: readonly CompanyRecord[] = [
  { id: '101', name: 'Zorggroep Noord B.V.', status: 'active', trial: false, trial_ends_on: null },
  { id: '102', name: 'Møller & Zonen', status: 'active', trial: false },
  { id: '103', name: 'Café Liberté', status: 'active', trial: true, trial_ends_on: '2025-12-31' },
];

const administrations: readonly AdministrationRecord[] = [
  { id: '1001', name: 'Zorggroep Noord: Facturatie', company_id: '101' },
  { id: '1002', name: 'Zorggroep Noord: Praktijk Groningen', company_id: '101' },
  { id: ODD_ADMINISTRATION, name: 'Odd cases (for testing clients)', company_id: '101' },
  { id: '2001', name: 'Møller & Zonen', company_id: '102' },
];

/** Of every twelve records, eight belong to the first administration, three to the second, one to the third. */
const shares = repeated(['1001', 8], ['1002', 3], ['2001', 1]);

/** Generated once for all services, as if started at the beginning of the epoch; a service has a copy of what changes. */
const generated = {
  debtors: once((): readonly Readonly<Debtor>[] => {
    const random = createRandom(2_148_549);
    const list = { count: 3600, firstId: 300_001, seed: 521_368, odd: oddDebtors };
    return createMany(list, (id, administrationId, index) =>
      createDebtor(random, id, 10_000 + index, administrationId),
    );
  }),
  declarationLines: once(() => {
    const random = createRandom(807);
    const list = { count: 2400, firstId: 600_001, seed: 28_382, odd: oddLines };
    return createMany(list, (id, administration) => createDeclarationLine(random, id, administration));
  }),
  others: once(() => createOthers(createRandom(271))),
};

/**
 * Everything except `deleted_at` is the same at every start. Each part is generated when it is first read, so that a
 * start does not wait for it. Lists are in the order of ids: updates replace a record, deletions remove it.
 */
export function generateData(startedAt: number) {
  const sinceStart = <R extends { deleted_at: string }>(record: R): R => ({
    ...record,
    deleted_at: new Date(startedAt + Date.parse(record.deleted_at)).toISOString(),
  });
  return lazily({
    companies: () => companies,
    administrations: () => administrations,
    debtors: () => [...generated.debtors()],
    declarationLines: () => [...generated.declarationLines()],
    tasks: () => generated.others().tasks.map((task) => ({ ...task })),
    messages: () => generated.others().messages.map((message) => ({ ...message })),
    deletedCreditCases: () => generated.others().deletedCreditCases.map(sinceStart),
    deletedPayments: () => generated.others().deletedPayments.map(sinceStart),
  });
}

function createOthers(random: Random) {
  const debtors: readonly Readonly<Debtor>[] = generated.debtors();
  const byAdministration = new Map(
    administrations.map(({ id }) => [id, debtors.filter((debtor) => debtor.administration_id === id)]),
  );
  const debtorOf = (administration: string) => random.pick(byAdministration.get(administration) ?? []);
  const yesterday = new Date(-86_400_000).toISOString();
  return {
    tasks: createMany({ count: 1440, firstId: 400_001, seed: 48_021, odd: oddTasks }, (id, administration) =>
      createTask(random, id, debtorOf(administration)),
    ),
    messages: createMany(
      { count: 2100, firstId: 500_001, seed: 5_870_087, odd: [{ read: true }, { read: false }] },
      (id, administration_id) => ({ id, administration_id, read: random.chance(0.5) }),
    ),
    deletedCreditCases: createMany(
      { count: 600, firstId: 700_001, seed: 11_041, odd: createOddCases(debtors, yesterday) },
      (id, administration) => createDeletedCreditCase(random, id, debtorOf(administration)),
    ),
    deletedPayments: createMany(
      { count: 720, firstId: 800_001, seed: 98_514, odd: createOddPayments(yesterday) },
      (id, administration) => createDeletedPayment(random, id, administration),
    ),
  };
}

/** A list: how many plausible records it has, from which id on, the seed that says whose they are, and the odd ones. */
interface ListPlan<R> {
  readonly count: number;
  readonly firstId: number;
  readonly seed: number;
  readonly odd: readonly Omit<R, 'id' | 'administration_id'>[];
}

/** Ids have gaps and are interleaved across administrations, like ids of a shared table. */
function createMany<R>(
  { count, firstId, seed, odd }: ListPlan<R>,
  create: (id: string, administrationId: string, index: number) => R,
): readonly Readonly<R>[] {
  const owner = createRandom(seed);
  const idAt = (index: number) => String(firstId + index * 3);
  return [
    ...Array.from({ length: count }, (_, index) => create(idAt(index), owner.pick(shares), index)),
    ...odd.map((record, index) => ({
      id: idAt(count + index),
      administration_id: ODD_ADMINISTRATION,
      ...record,
    })),
    // A change would be one at all services.
  ].map((record) => Object.freeze(record as R));
}

/** An object whose members are made when they are first read. */
function lazily<T extends object>(create: { readonly [member in keyof T]: () => T[member] }): T {
  const members = Object.entries<() => unknown>(create);
  const getters = members.map(([member, make]) => [member, { get: once(make), enumerable: true }]);
  return Object.defineProperties({} as T, Object.fromEntries(getters));
}

function once<T>(create: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= create();
    return made;
  };
}
