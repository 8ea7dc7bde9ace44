import { describe, expect, test } from 'vitest';
import { Random } from '../execution/random.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, BOTH, EXPLAIN, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { cursorOf, globalId } from '../support/ids.ts';
import { casesOf, SEED } from '../support/search.ts';
import { times } from '../support/times.ts';
import { costOf } from './support.ts';

const gateway = await useGateway({ gateway: { maxCalls: 1000 } });
const limited = await useGateway();
const EXPLAINED = { ...BOTH, ...EXPLAIN };

const ADMINISTRATIONS = [ADMINISTRATION, SMALL_ADMINISTRATION];
const own = <R extends { readonly administration_id: string }>(records: readonly R[]) =>
  records.filter(({ administration_id }) => ADMINISTRATIONS.includes(administration_id)).slice(0, 400);
const debtors = own(gateway.rest.data.debtors);
const tasks = own(gateway.rest.data.tasks);
const globalIds = [
  ...debtors.map(({ id, administration_id }) => globalId('Debtor', id, administration_id)),
  ...own(gateway.rest.data.declarationLines).map((row) =>
    globalId('DeclarationLine', row.id, row.administration_id),
  ),
  ...ADMINISTRATIONS.map((id) => globalId('Administration', id, id)),
];

const random = new Random(SEED);
let names = 0;
/** Several fields side by side, each under a name of its own, so that fields of two types do not have to agree. */
const sideBySide = (most: number, field: () => string) =>
  times(1 + random.below(most), () => `a${names++}: ${field()}`).join(' ');
const oneOf = (...fields: readonly (() => string)[]) => random.pick(fields)();

/** Few values, so that lists are parts of others and equal to lookups, in whichever order and however often. */
function values(): string {
  const start = random.pick([300_001, 300_002, 300_501]);
  const once = times(random.pick([0, 1, 2, 3, 100, 500, 600]), (index) => String(start + index));
  return JSON.stringify(random.chance(50) ? [...once, ...once.toReversed()] : once);
}
const filter = () =>
  random.chance(50) ? '' : `, ${random.pick(['ids', 'debtorNumbers', 'debtorIdentifiers'])}: ${values()}`;
/** Selections that need the full list, and its start; most lists have neither. */
const place = () =>
  random.pick([
    ...Array(5).fill(''),
    ', where: { internalId: { isNull: false } }',
    ', orderBy: [{ field: INTERNAL_ID, direction: DESC }]',
    `, after: "${cursorOf('300001')}"`,
    `, after: "${cursorOf('300001', 1)}"`,
  ]);
const page = (selection: string) =>
  random.pick([
    `nodes { ${selection} }`,
    `edges { node { ${selection} } }`,
    'pageInfo { hasNextPage }',
    `nodes { ${selection} } totals { count }`,
    'groups(by: ADMINISTRATION_ID) { key }',
    `groups(by: ADMINISTRATION_ID, first: 2) { top(first: ${random.pick([2, 60])}) { ${selection} } }`,
  ]);

/** Selects fields of an administration, which `prefix` names if nothing around it does. */
function inAdministration(depth: number, prefix = ''): string {
  const record = () => (depth === 0 ? 'internalId' : `internalId administration { ${inside(2, depth - 1)} }`);
  const start = `${prefix}first: ${random.pick([1, 3])}`;
  const key = random.pick(['id: "300001"', 'id: "300002"', 'debtorNumber: "300001"']);
  return oneOf(
    () => `debtors(${start}${filter()}${place()}) { ${page(record())} }`,
    () => `debtors(${prefix}first: ${random.pick([500, 700])}${filter()}) { __typename }`,
    () => `declarationLines(${start}${place()}) { ${page(record())} }`,
    () => `deletedCreditCases(${start}${place()}) { ${page(`debtor { ${record()} }`)} }`,
    () => `debtor(${prefix}by: { ${key} }) { ${record()} }`,
  );
}

const inside = (most = 3, depth = 1): string => sideBySide(most, () => inAdministration(depth));
const nodes = (selection: string) =>
  `nodes(ids: ${JSON.stringify(times(1 + random.below(30), () => random.pick(globalIds)))}) { id ${selection} }`;
const makeQueryField = () =>
  oneOf(
    () => inAdministration(2, `administrationId: "${random.pick(ADMINISTRATIONS)}", `),
    () => inAdministration(2, `administrationId: "${random.pick(ADMINISTRATIONS)}", `),
    () => nodes(`... on Debtor { administration { ${inside()} } }`),
    () => nodes(`... on Administration { ${inside()} }`),
    () => `administration(id: "${random.pick(ADMINISTRATIONS)}") { ${inside()} }`,
    () => `viewer { administrations { internalId ${inside()} } }`,
  );
const makeMutationField = () =>
  `unmarkTaskCompleted(input: { taskId: "${random.pick(tasks.slice(0, 20)).id}" }) {
    task { debtor { administration { ${inside()} } } }
  }`;

test('random operations make no more calls than estimated', async () => {
  for (let left = casesOf({ short: 10, long: 3_000 }); left > 0; left -= 1) {
    const text = random.chance(80)
      ? `{ ${sideBySide(4, makeQueryField)} }`
      : `mutation { ${sideBySide(3, makeMutationField)} }`;
    const answer = await gateway.query(text, {}, EXPLAINED);
    // A cursor may be of another order, or of a part that its list has not.
    const known = ['BAD_USER_INPUT', 'OPERATION_TOO_EXPENSIVE', 'NOT_FOUND', 'MORE_ERRORS'];
    expect(codesOf(answer).filter((code) => !known.includes(code))).toEqual([]);
    const { calls, estimatedCalls } = costOf(answer);
    expect(calls, text).toBeLessThanOrEqual(estimatedCalls);
    const dry = await gateway.query(text, {}, { ...BOTH, 'x-explain': 'estimate' });
    if (answer.status === 200) expect(costOf(dry).estimatedCalls, text).toBe(estimatedCalls);
    // The calls that are known in advance are made, unless an equal one is in flight.
    for (const call of dry.extensions.explain ?? [])
      expect(answer.extensions.explain, text).toContainEqual(expect.objectContaining(call));
  }
});

const IN = `administrationId: "${ADMINISTRATION}"`;
const [one, two] = globalIds.slice(-2);
test.each([
  [
    'a record by id that is also a node',
    `debtor(${IN}, by: { id: "300001" }) { name } node(id: "${globalId('Debtor', '300001')}") { id }`,
    1,
  ],
  ['a long list of few ids', `debtors(${IN}, ids: ["300001", "300002"], first: 5000) { nodes { name } }`, 1],
  [
    'a list below two records of one administration',
    `nodes(ids: ["${globalId('Debtor', '300001')}", "${globalId('Debtor', '300002')}"]) {
      ... on Debtor { administration { declarationLines(first: 1) { nodes { id } } } }
    }`,
    2,
  ],
  [
    'the same list below two administrations by their ids',
    `nodes(ids: ["${one}", "${two}"]) { ... on Administration { debtors(first: 2) { nodes { name } } } }`,
    2,
  ],
])('an estimate counts only the calls that are needed for %s', async (_what, fields, calls) => {
  const answer = await gateway.query(`{ ${fields} }`, {}, EXPLAINED);
  expect(codesOf(answer)).toEqual([]);
  expect(answer.extensions.cost).toMatchObject({ estimatedCalls: calls });
  expect(gateway.rest.calls.length).toBeLessThanOrEqual(calls);
});

describe('an operation whose estimate is near MAX_CALLS', () => {
  const unmark = (index: number, selection: string) =>
    `w${index}: unmarkTaskCompleted(input: { taskId: "${tasks[index % 20]?.id}" }) { task { ${selection} } }`;
  const writes = (count: number, selection: string) =>
    times(count, (index) => unmark(index, selection)).join(' ');

  test.each([
    `mutation { ${writes(51, 'internalId')} }`,
    `mutation { ${unmark(60, `debtor { administration { debtors(ids: []) { nodes { name } } } }`)} ${writes(50, 'internalId')} }`,
  ])('is rejected before its first call if the estimate is higher: %#', async (source) => {
    const answer = await limited.query(source);
    expect([answer.status, codesOf(answer)]).toEqual([400, ['OPERATION_TOO_EXPENSIVE']]);
    expect(answer.errors?.[0]?.message).toMatch(
      /about \d+ REST calls, and at most 50 are allowed: `w\d+` \d+, /,
    );
    expect(limited.rest.calls).toEqual([]);
  });

  test('makes all its writes, even if reads between them fail and are retried', async () => {
    limited.rest.misbehave({ kind: 'status', status: 503, match: { method: 'GET' }, times: 6 });
    const answer = await limited.query(
      `mutation { ${writes(24, 'internalId debtor { name }')} }`,
      {},
      EXPLAINED,
    );
    expect(answer.extensions.cost).toMatchObject({ estimatedCalls: 48 });
    const calls = limited.calls();
    expect(calls.filter(({ call }) => call.startsWith('PATCH'))).toHaveLength(24);
    expect(calls.length).toBeLessThanOrEqual(50);
    expect(new Set(codesOf(answer))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
  });
});
