import { describe, expect, test } from 'vitest';
import { encodeCursor } from '../../src/schema/fields/cursor.ts';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { codesOf } from '../support/answers.ts';
import { type Answer, BOTH, useGateway } from '../support/gateway.ts';
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
  [
    'what is below a list that is refused',
    '{ debtors(administrationId: "1001", ids: ["1,2"]) { nodes { administration { declarationLines { __typename } } } } }',
    0,
    true,
  ],
  [
    'what is below a list of no rows',
    '{ debtors(administrationId: "1001", first: 0) { nodes { administration { declarationLines { __typename } } } } }',
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
});
