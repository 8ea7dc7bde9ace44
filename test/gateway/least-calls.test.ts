import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeCursor } from '../../src/schema/fields/cursor.ts';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, type Answer, BOTH, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { casesOf } from '../support/search.ts';
import { times } from '../support/times.ts';

const gateway = await useGateway({ gateway: { maxCalls: 1000 } });

function costOf({ extensions }: Answer<unknown>) {
  return { calls: 0, estimatedCalls: 0, leastCalls: 0, ...extensions.cost };
}

const globalId = (type: string, administration: string, id: string) =>
  encodeGlobalId({ type, administration, id });
const administrations = (count: number) =>
  times(count, (index) => globalId('Administration', String(1001 + index), String(1001 + index)));
const values = (count: number, start = 300_001) => times(count, (index) => String(start + index));
const quoted = (texts: readonly string[]) => JSON.stringify(texts);
const longNumbers = (count: number) => times(count, (index) => String(index).padStart(399, '0'));
const cursorOf = (part: number | null) => encodeCursor({ part, cursor: '300001' });

/** Each needs as many calls at least; `isFailing` where the answer has errors. */
const CASES: readonly [what: string, source: string, least: number, isFailing?: true][] = [
  ['nothing', '{ __typename }', 0],
  ['a list', '{ debtors(administrationId: "1001") { nodes { name } } }', 1],
  ['a list that may be long', '{ debtors(administrationId: "1001", first: 10000) { nodes { name } } }', 1],
  ['nothing of a list', '{ debtors(administrationId: "1001") { __typename } }', 1],
  ['a list of companies', '{ companies { nodes { name } } }', 1],
  [
    'two lists',
    '{ a: debtors(administrationId: "1001") { __typename } b: declarationLines(administrationId: "1001") { __typename } }',
    2,
  ],
  [
    'a list of two administrations',
    '{ a: debtors(administrationId: "1001") { __typename } b: debtors(administrationId: "1002") { __typename } }',
    2,
  ],
  [
    'a list twice',
    '{ a: debtors(administrationId: "1001", first: 9) { __typename } b: debtors(administrationId: "1001", first: 600) { __typename } }',
    1,
  ],
  [
    'a list in four places',
    `{ a: debtors(administrationId: "1001") { __typename } b: administration(id: "1001") { debtors { __typename } }
      c: debtors(administrationId: "${administrations(1)[0]}") { __typename }
      nodes(ids: ${quoted(administrations(1))}) { ... on Administration { debtors { __typename } } } }`,
    1,
  ],
  [
    'a list with and without a filter',
    '{ a: debtors(administrationId: "1001", updatedAfter: null) { __typename } b: debtors(administrationId: "1001", updatedAfter: "2024-01-01T00:00:00Z") { __typename } }',
    2,
  ],
  [
    'a list behind two cursors',
    `{ a: debtors(administrationId: "1001", after: "${cursorOf(null)}") { __typename } b: debtors(administrationId: "1001") { __typename } }`,
    2,
  ],
  [
    'a list behind one cursor in two forms',
    `{ a: debtors(administrationId: "1001", after: "${cursorOf(null)}") { __typename } b: debtors(administrationId: "1001", after: "${encodeCursor({ part: null, cursor: '300001', before: [], isFromStart: true })}") { __typename } }`,
    1,
  ],
  [
    'what is below a list',
    '{ debtors(administrationId: "1001") { nodes { administration { declarationLines { __typename } } } } }',
    1,
  ],
  ['a join', '{ deletedCreditCases(administrationId: "1001") { nodes { debtor { name } } } }', 1],
  [
    'what is below a record',
    '{ debtor(administrationId: "1001", by: { id: "300001" }) { administration { debtors { __typename } } } }',
    1,
  ],
  ['an administration alone', '{ administration(id: "1001") { internalId } }', 0],
  [
    'below an administration',
    '{ administration(id: "1001") { debtors { __typename } declarationLines { __typename } } }',
    2,
  ],
  [
    'below administrations by their ids',
    `{ nodes(ids: ${quoted([...administrations(2), ...administrations(1)])}) { ... on Administration { debtors { __typename } } } }`,
    2,
  ],
  [
    'below a node that has to be read',
    `{ node(id: "${globalId('Debtor', '1001', '300001')}") { ... on Debtor { administration { debtors { __typename } } } } }`,
    1,
  ],
  [
    'the administrations of a token',
    '{ viewer { administrations { debtors { __typename } declarationLines { __typename } } } }',
    1,
  ],
  ['viewer twice', '{ a: viewer { clientId } b: viewer { scopes } }', 1],
  ['a record', '{ debtor(administrationId: "1001", by: { id: "300001" }) { name } }', 1],
  [
    'records by two keys',
    '{ a: debtor(administrationId: "1001", by: { id: "300001" }) { name } b: debtor(administrationId: "1001", by: { debtorNumber: "1" }) { name } }',
    2,
  ],
  [
    'records of two administrations',
    '{ a: debtor(administrationId: "1001", by: { id: "1" }) { name } b: debtor(administrationId: "1002", by: { id: "1" }) { name } }',
    2,
  ],
  [
    'nodes of two types',
    `{ nodes(ids: ${quoted([globalId('Debtor', '1001', '300001'), globalId('DeclarationLine', '1001', '1')])}) { id } }`,
    2,
  ],
  ['500 ids', `{ nodes(ids: ${quoted(values(500).map((id) => globalId('Debtor', '1001', id)))}) { id } }`, 1],
  ['501 ids', `{ nodes(ids: ${quoted(values(501).map((id) => globalId('Debtor', '1001', id)))}) { id } }`, 2],
  [
    'a list of 501 ids',
    `{ debtors(administrationId: "1001", ids: ${quoted(values(501))}, first: 501) { __typename } }`,
    2,
  ],
  [
    'a few of a list of 501 ids',
    `{ debtors(administrationId: "1001", ids: ${quoted(values(501))}, first: 499) { __typename } }`,
    1,
  ],
  [
    'ids in a list that other lists ask for too',
    `{ a: debtors(administrationId: "1001", ids: ${quoted(values(3))}, first: 3) { __typename } b: debtors(administrationId: "1001", ids: ${quoted(values(3).reverse())}, first: 3) { __typename } c: debtor(administrationId: "1001", by: { id: "300001" }) { internalId } }`,
    1,
  ],
  [
    'ten numbers of 400 bytes',
    `{ debtors(administrationId: "1001", debtorNumbers: ${quoted(longNumbers(10))}) { __typename } }`,
    2,
  ],
  ['a list of no ids', '{ debtors(administrationId: "1001", ids: []) { __typename } }', 0],
  ['a list of no rows', '{ debtors(administrationId: "1001", first: 0) { __typename } }', 0, true],
  ['an id with a comma', '{ debtors(administrationId: "1001", ids: ["1,2"]) { __typename } }', 0, true],
  [
    'an id of another type',
    `{ debtors(administrationId: "1001", ids: ["${administrations(1)[0]}"]) { __typename } }`,
    0,
    true,
  ],
  [
    'an administration of another type',
    `{ administration(id: "${globalId('Debtor', '1001', '1')}") { debtors { __typename } } }`,
    0,
    true,
  ],
  ['an empty administration', '{ debtors(administrationId: "") { __typename } }', 0, true],
  ['a cursor that is none', '{ debtors(administrationId: "1001", after: "x") { __typename } }', 0, true],
  [
    'a cursor of a part that the list has not',
    `{ debtors(administrationId: "1001", after: "${cursorOf(3)}") { __typename } }`,
    0,
    true,
  ],
  [
    'a filter that is too long',
    `{ debtors(administrationId: "1001", debtorNumbers: ["${'x'.repeat(1001)}"]) { __typename } }`,
    0,
    true,
  ],
  ['a record without a key', '{ debtor(administrationId: "1001", by: { id: "" }) { name } }', 0, true],
  ['a node that is none', '{ node(id: "x") { id } }', 0, true],
  ['a node of an unknown type', `{ node(id: "${globalId('Thing', '1001', '1')}") { id } }`, 0, true],
  [
    'a write',
    'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { debtor { name } } } }',
    1,
  ],
  [
    'writes',
    'mutation { a: unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } b: unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }',
    2,
  ],
];

describe('the least calls', () => {
  test.each(CASES)('are what is needed for %s', async (_what, source, least, isFailing) => {
    const answer = await gateway.query(source, {}, BOTH);
    expect(codesOf(answer).length > 0).toBe(isFailing ?? false);
    const { calls, estimatedCalls, leastCalls } = costOf(answer);
    expect(leastCalls).toBe(least);
    expect(leastCalls).toBeLessThanOrEqual(calls);
    expect(leastCalls).toBeLessThanOrEqual(estimatedCalls);
    expect(calls).toBe(gateway.rest.calls.length);
  });

  const administration = fc.constantFrom(ADMINISTRATION, SMALL_ADMINISTRATION);
  /** Few values, so that lists are parts of others and equal to lookups, in whichever order and however often. */
  const list = fc
    .record({
      first: fc.constantFrom(1, 2, 3, 500, 700),
      filter: fc.constantFrom('ids', 'debtorNumbers', 'debtorIdentifiers'),
      count: fc.constantFrom(1, 2, 3, 100, 500, 600),
      start: fc.constantFrom(300_001, 300_002, 300_501),
      isReversed: fc.boolean(),
      isDoubled: fc.boolean(),
      after: fc.constantFrom(undefined, null, 0, 1),
    })
    .map(({ first, filter, count, start, isReversed, isDoubled, after }) => {
      const once = isReversed ? values(count, start).reverse() : values(count, start);
      const cursor = after === undefined ? '' : `, after: "${cursorOf(after)}"`;
      return `first: ${first}${cursor}, ${filter}: ${quoted(isDoubled ? [...once, ...once] : once)}`;
    });
  const inside = fc.oneof(
    list.map((args) => `debtors(${args}) { __typename }`),
    fc.constant('debtors { __typename }'),
    fc
      .tuple(fc.constantFrom('id', 'debtorNumber', 'debtorIdentifier'), fc.constantFrom(...values(3)))
      .map(([key, value]) => `debtor(by: { ${key}: "${value}" }) { name }`),
  );
  const field = fc.oneof(
    fc.tuple(administration, inside).map(([id, text]) => `administration(id: "${id}") { a: ${text} }`),
    fc
      .tuple(administration, list)
      .map(([id, args]) => `debtors(administrationId: "${id}", ${args}) { __typename }`),
    fc
      .tuple(fc.constantFrom(1, 3, 500, 600), fc.constantFrom(300_001, 300_101))
      .map(([count, start]) => values(count, start).map((id) => globalId('Debtor', '1001', id)))
      .map((ids) => `nodes(ids: ${quoted(ids)}) { id }`),
    inside.map(
      (text) => `nodes(ids: ${quoted(administrations(2))}) { ... on Administration { a: ${text} } }`,
    ),
    fc.constant('viewer { administrations { debtors(first: 1) { __typename } } }'),
  );
  const query = fc
    .array(field, { minLength: 1, maxLength: 6 })
    .map((fields) => `{ ${fields.map((text, index) => `f${index}: ${text}`).join(' ')} }`);

  test('are never more than are made, though calls are shared in ways that are not foreseen', async () => {
    await fc.assert(
      fc.asyncProperty(query, async (source) => {
        const answer = await gateway.query(source, {}, BOTH);
        const { calls, estimatedCalls, leastCalls } = costOf(answer);
        expect(calls).toBe(gateway.rest.calls.splice(0).length);
        expect(leastCalls).toBeLessThanOrEqual(calls);
        expect(leastCalls).toBeLessThanOrEqual(estimatedCalls);
      }),
      { numRuns: casesOf({ short: 12, long: 3_000 }) },
    );
  });
});
