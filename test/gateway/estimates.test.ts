import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import {
  ADMINISTRATION,
  BEARER,
  BOTH,
  EXPLAIN,
  SMALL_ADMINISTRATION,
  useGateway,
} from '../support/gateway.ts';
import { cursorOf, globalId } from '../support/ids.ts';
import { changeRows } from '../support/rest-pages.ts';
import { casesOf } from '../support/search.ts';
import { times } from '../support/times.ts';
import { costOf } from './support.ts';

const gateway = await useGateway({ gateway: { maxCalls: 1000 } });
/** With as many calls as by default. */
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

/** Several fields side by side, each under a name of its own. */
const sideBySide = (field: fc.Arbitrary<string>, maxLength = 3) =>
  fc
    .array(field, { minLength: 1, maxLength })
    .map((fields) => fields.map((text, index) => `a${index}: ${text}`).join(' '));

/** Few values, so that lists are parts of others and equal to lookups, in whichever order and however often. */
const values = fc
  .tuple(fc.constantFrom(0, 1, 2, 3, 100, 500, 600), fc.constantFrom(300_001, 300_002, 300_501), fc.boolean())
  .map(([count, start, isDoubled]) => {
    const once = times(count, (index) => String(start + index));
    return JSON.stringify(isDoubled ? [...once, ...once.toReversed()] : once);
  });
const filters = fc.oneof(
  fc.constant(''),
  fc
    .tuple(fc.constantFrom('ids', 'debtorNumbers', 'debtorIdentifiers'), values)
    .map((parts) => `, ${parts.join(': ')}`),
);
/** What needs all of a list, and where it starts; most lists have none of it. */
const places = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  fc.constantFrom(
    ', where: { internalId: { isNull: false } }',
    ', orderBy: [{ field: INTERNAL_ID, direction: DESC }]',
    `, after: "${cursorOf('300001')}"`,
    `, after: "${cursorOf('300001', 1)}"`,
  ),
);
const pageOf = (selection: string) =>
  fc.constantFrom(
    `nodes { ${selection} }`,
    `edges { node { ${selection} } }`,
    'pageInfo { hasNextPage }',
    `nodes { ${selection} } totals { count }`,
    'groups(by: ADMINISTRATION_ID) { key }',
  );
const format = (strings: TemplateStringsArray, ...parts: readonly fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((texts) => String.raw({ raw: strings }, ...texts));

/** What an administration offers; `prefix` names it where that is not known from around. */
function inAdministration(
  depth: number,
  prefix: fc.Arbitrary<string> = fc.constant(''),
): fc.Arbitrary<string> {
  const record =
    depth === 0
      ? fc.constant('internalId')
      : format`internalId administration { ${sideBySide(inAdministration(depth - 1), 2)} }`;
  const joined = format`debtor { ${record} }`.chain(pageOf);
  const first = fc.constantFrom('first: 1', 'first: 3');
  const many = fc.constantFrom('first: 500', 'first: 700');
  const key = fc.constantFrom('id: "300001"', 'id: "300002"', 'debtorNumber: "300001"');
  return fc.oneof(
    format`debtors(${prefix}${first}${filters}${places}) { ${record.chain(pageOf)} }`,
    format`debtors(${prefix}${many}${filters}) { __typename }`,
    format`declarationLines(${prefix}${first}${places}) { ${record.chain(pageOf)} }`,
    format`deletedCreditCases(${prefix}${first}${places}) { ${joined} }`,
    format`debtor(${prefix}by: { ${key} }) { ${record} }`,
  );
}

const inside = sideBySide(inAdministration(1));
const administration = fc.constantFrom(...ADMINISTRATIONS);
const ids = fc
  .array(fc.constantFrom(...globalIds), { minLength: 1, maxLength: 30 })
  .map((some) => JSON.stringify(some));
const task = fc.constantFrom(...tasks.slice(0, 20)).map(({ id }) => id);
const query = sideBySide(
  fc.oneof(
    { weight: 2, arbitrary: inAdministration(2, format`administrationId: "${administration}", `) },
    format`nodes(ids: ${ids}) { id ... on Debtor { administration { ${inside} } } }`,
    format`nodes(ids: ${ids}) { id ... on Administration { ${inside} } }`,
    format`administration(id: "${administration}") { ${inside} }`,
    format`viewer { administrations { internalId ${inside} } }`,
  ),
  4,
);
const mutation = sideBySide(
  format`unmarkTaskCompleted(input: { taskId: "${task}" }) { task { debtor { administration { ${inside} } } } }`,
);

test('the estimate is never too low, whatever is asked', async () => {
  const operations = fc.oneof(
    { weight: 4, arbitrary: format`{ ${query} }` },
    format`mutation { ${mutation} }`,
  );
  await fc.assert(
    fc.asyncProperty(operations, async (text) => {
      // Names of their own, so that fields of two types do not have to agree.
      let count = 0;
      const answer = await gateway.query(
        text.replace(/\ba\d+:/g, () => `b${count++}:`),
        {},
        EXPLAINED,
      );
      // A cursor may be of another order, or of a part that its list has not.
      const known = ['BAD_USER_INPUT', 'OPERATION_TOO_EXPENSIVE', 'NOT_FOUND', 'MORE_ERRORS'];
      expect(codesOf(answer).filter((code) => !known.includes(code))).toEqual([]);
      const { calls, estimatedCalls } = costOf(answer);
      expect(calls).toBeLessThanOrEqual(estimatedCalls);
    }),
    { numRuns: casesOf({ short: 10, long: 3_000 }) },
  );
});

const IN = `administrationId: "${ADMINISTRATION}"`;
const [one, two] = globalIds.slice(-2);
test.each([
  [
    'a record by id beside the same as a node',
    `debtor(${IN}, by: { id: "300001" }) { name } node(id: "${globalId('Debtor', '300001')}") { id }`,
    1,
  ],
  ['a long list of few ids', `debtors(${IN}, ids: ["300001", "300002"], first: 5000) { nodes { name } }`, 1],
  [
    'the same list below two administrations by their ids',
    `nodes(ids: ["${one}", "${two}"]) { ... on Administration { debtors(first: 2) { nodes { name } } } }`,
    2,
  ],
])('the estimate is what is needed for %s', async (_what, fields, calls) => {
  const answer = await gateway.query(`{ ${fields} }`, {}, EXPLAINED);
  expect(codesOf(answer)).toEqual([]);
  expect(answer.extensions.cost).toMatchObject({ estimatedCalls: calls });
  expect(gateway.rest.calls.length).toBeLessThanOrEqual(calls);
});

test('the estimate of lists below the administrations of a token is as many calls as may be made at all', async () => {
  const lists = 'administrations { internalId debtors(first: 1) { nodes { internalId } } }';
  const token = BEARER.authorization.slice('Bearer '.length);
  for (const source of [
    `{ viewer { ${lists} } }`,
    `mutation { introspectToken(input: { token: "${token}" }) { ${lists} } }`,
  ]) {
    const answer = await gateway.query(source, {}, EXPLAINED);
    expect(codesOf(answer)).toEqual([]);
    expect(answer.extensions.cost).toMatchObject({ estimatedCalls: 1000, calls: 4 });
  }
  const { extensions } = await gateway.query('{ viewer { administrations { name } } }', {}, EXPLAINED);
  expect(extensions.cost).toMatchObject({ estimatedCalls: 1, calls: 1 });
});

test.each([6, 36, 64, 900])('joins by ids of %i bytes need no second try', async (length) => {
  const debtorIds = changeRows((rows) =>
    rows.map((row, index) => ({ ...row, debtor_id: String(index).padStart(length, '0') })),
  );
  gateway.rest.misbehave({ ...debtorIds, match: { path: '/v1/credit_cases/deleted' } });
  const fields = 'name vatNumber remark updatedAt postalAddress { city street1 } labels { name }';
  const source = `{ deletedCreditCases(${IN}, first: 100) { nodes { debtor { ${fields} } } } }`;
  const answer = await gateway.query(source, {}, EXPLAINED);
  expect(codesOf(answer)).toEqual([]);
  const { calls, estimatedCalls } = costOf(answer);
  expect(estimatedCalls).toBe(5);
  if (length <= 64) expect(calls).toBeLessThanOrEqual(estimatedCalls);
});

describe('an operation that is estimated at MAX_CALLS', () => {
  const unmark = (index: number, selection: string) =>
    `w${index}: unmarkTaskCompleted(input: { taskId: "${tasks[index % 20]?.id}" }) { task { ${selection} } }`;
  const writes = (count: number, selection: string) =>
    times(count, (index) => unmark(index, selection)).join(' ');
  const empty = 'debtors(administrationId: "1", ids: []) { nodes { name } }';
  const lookups = times(
    51,
    (index) => `d${index}: debtor(administrationId: "${index}", by: { id: "1" }) { name }`,
  );

  test.each([
    `mutation { ${writes(51, 'internalId')} }`,
    `mutation { ${unmark(60, `debtor { administration { debtors(ids: []) { nodes { name } } } }`)} ${writes(50, 'internalId')} }`,
    `{ ${empty} ${lookups.join(' ')} }`,
    `{ ${lookups.join(' ')} ${empty} }`,
  ])(
    'is refused before its first call beyond that, also beside lists that cost nothing: %#',
    async (source) => {
      expect(codesOf(await limited.query(source))).toEqual(['OPERATION_TOO_EXPENSIVE']);
      expect(limited.rest.calls).toEqual([]);
    },
  );

  test('makes all its writes, though reads between them fail and are tried again', async () => {
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
