import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { BEARER, BOTH, EXPLAIN, freshGateway, type TestOptions, useGateway } from '../support/gateway.ts';
import { globalId } from '../support/ids.ts';
import { DEBTORS } from '../support/operations.ts';
import { changePage } from '../support/rest-pages.ts';
import { createData, type WorldSize } from '../support/rest-world.ts';
import { times } from '../support/times.ts';
import { costOf } from './support.ts';

const SMALL: WorldSize = { administrations: 1, debtors: 40, cases: 40, idLength: 6 };
const inWorld = (size: Partial<WorldSize>, gateway: TestOptions['gateway'] = {}) =>
  freshGateway({ rest: { data: createData({ ...SMALL, ...size }) }, gateway });

const LISTS = 'administrations { internalId debtors(first: 1) { nodes { internalId } } }';
const list = (key: string, args: string) =>
  `${key}: debtors(administrationId: "1001", ${args}) { nodes { internalId } pageInfo { hasNextPage } }`;
const EXPLAINED = { ...BOTH, ...EXPLAIN };
const four = await useGateway({ gateway: { maxCalls: 4 } });

describe('a query that may need more calls than the limit', () => {
  test('runs if it needs fewer: five lists and a join in each of eight administrations', async () => {
    const gateway = await inWorld({ administrations: 8 });
    const dashboard = `{ viewer { administrations {
      debtors(first: 10000) { edges { node { name postalAddress { city } labels { name } } } }
      declarationLines(first: 10000) { nodes { amount } }
      deletedCreditCases(first: 10000) { nodes { debtor { name } } }
      deletedPayments(first: 10000) { nodes { internalId } }
      more: debtors(first: 10000, updatedAfter: "2020-01-01T00:00:00Z") { edges { node { name } } }
    } } }`;
    const answer = await gateway.query(dashboard, {}, EXPLAINED);
    expect(codesOf(answer)).toEqual([]);
    expect(costOf(answer)).toMatchObject({ estimatedCalls: 446, calls: 1 + 8 * 6 });
    expect(answer.text.match(/"name":"Debtor/g)).toHaveLength(8 * 40 * 3);
  });

  test('has errors with the number of rows read if calls do not suffice, and all other fields', async () => {
    const gateway = await inWorld({ debtors: 1_300 }, { maxCalls: 4 });
    const source = `{ ${list('a', 'first: 10000')}
      b: declarationLines(administrationId: "1001") { nodes { id } }
      ${list('c', 'first: 10000, updatedAfter: "2020-01-01T00:00:00Z"')} }`;
    const answer = await gateway.query(source, {}, EXPLAINED);
    expect(answer).toMatchObject({ status: 200, data: { b: { nodes: [] } } });
    expect(costOf(answer)).toMatchObject({ estimatedCalls: 41, calls: 4 });
    expect(gateway.rest.calls).toHaveLength(4);
    // The first that has read its first page gets the last call.
    expect(answer.errors?.map(({ extensions }) => extensions.rows).sort()).toEqual([1000, 500]);
    for (const { message, path, extensions } of answer.errors ?? []) {
      expect(extensions.code).toBe('OPERATION_TOO_EXPENSIVE');
      expect(message).toBe(
        `4 of the 4 REST calls that an operation may make are used. Records of this list read before: ${extensions.rows}. ` +
          'Ask for fewer records or fewer lists, or raise MAX_CALLS.',
      );
      expect(answer.data).toMatchObject({ [String(path?.[0])]: null });
    }
  });

  test('continues after its cached pages when it is sent again', async () => {
    const gateway = await inWorld({ debtors: 1_300 }, { maxCalls: 2, cacheTtlMs: 60_000 });
    const source = `{ ${list('long', 'first: 5000')} }`;
    const [first, second] = [await gateway.query(source), await gateway.query(source)];
    expect(first).toMatchObject({ data: { long: null }, errors: [{ extensions: { rows: 1000 } }] });
    expect(second.data).toMatchObject({ long: { nodes: { length: 1_300 } } });
    expect(costOf(second)).toMatchObject({ calls: 1, cacheHits: 2 });
  });

  test('is rejected only if its root fields alone need more, unless they share calls', async () => {
    const gateway = await inWorld({}, { maxCalls: 4 });
    const lookups = (administration: (index: number) => number) =>
      times(
        5,
        (id) => `d${id}: debtor(administrationId: "${administration(id)}", by: { id: "${id}" }) { name }`,
      );
    const answer = await gateway.query(`{ ${lookups(Number).join(' ')} }`);
    expect(answer.status).toBe(400);
    expect(answer.errors?.[0]?.message).toBe(
      'The operation needs at least 5 REST calls, and at most 4 are allowed. Ask for fewer lists or records at a time.',
    );
    const ids = times(5, (id) => globalId('Debtor', '1', String(id)));
    const nodes = await gateway.query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(codesOf(nodes)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(gateway.rest.calls).toEqual([]);
    expect(codesOf(await gateway.query(`{ ${lookups(() => 1001).join(' ')} }`))).toEqual([]);
    expect(gateway.rest.calls).toHaveLength(1);
  });
});

test('a mutation makes all its writes and reserves calls for the fields after one that fails', async () => {
  const gateway = await inWorld({ administrations: 12 }, { maxCalls: 6 });
  const token = BEARER.authorization.slice('Bearer '.length);
  const answer = await gateway.query(
    `mutation {
      introspectToken(input: { token: "${token}" }) { ${LISTS} }
      unmarkTaskCompleted(input: { taskId: "T10010" }) { task { debtor { name } } }
    }`,
    {},
    EXPLAINED,
  );
  expect(answer.errors?.[0]?.message).toBe(
    '4 of the 6 REST calls that an operation may make are used, and the rest are reserved for later fields. ' +
      'Records of this list read before: 0. Ask for fewer records or fewer lists, or raise MAX_CALLS.',
  );
  expect(answer.data).toMatchObject({
    unmarkTaskCompleted: { task: { debtor: { name: 'Debtor 0 of 1001' } } },
  });
  expect(costOf(answer)).toMatchObject({ estimatedCalls: 6, calls: 6 });
});

describe('`X-Explain: true` lists the REST calls', () => {
  const NETWORK = { method: 'GET', path: '/v1/debtors', source: 'network', milliseconds: expect.any(Number) };

  test('with each attempt and its result', async () => {
    const gateway = await freshGateway();
    gateway.rest.misbehave({ kind: 'status', status: 503 });
    gateway.rest.misbehave({ kind: 'reset' });
    const { extensions } = await gateway.query(DEBTORS, {}, EXPLAINED);
    expect(extensions.explain).toMatchObject([
      { ...NETWORK, status: 503, bytes: null, rows: null },
      { ...NETWORK, status: null, bytes: null, rows: null },
      { ...NETWORK, status: 200, bytes: expect.any(Number), rows: 3 },
    ]);
    expect(extensions.cost).toEqual({
      estimatedCalls: 1,
      maxCalls: 50,
      calls: 3,
      cacheHits: 0,
      coalesced: 0,
    });
  });

  test('up to MAX_CALLS, including retries and short pages', async () => {
    const gateway = await inWorld({}, { maxCalls: 4 });
    const shortPage = changePage(({ data: [row] }) => ({
      data: [row],
      pagination: { cursor: Object(row).id },
    }));
    gateway.rest.misbehave({ kind: 'status', status: 503 });
    gateway.rest.misbehave({ ...shortPage, times: 10 });
    const answer = await gateway.query(`{ ${list('a', 'first: 40')} }`, {}, EXPLAINED);
    expect(codesOf(answer)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect([costOf(answer).calls, answer.extensions.explain?.length, gateway.rest.calls.length]).toEqual([
      4, 4, 4,
    ]);
  });
});

describe('X-Max-Calls', () => {
  const TWO = `{ ${list('a', 'first: 1')} ${list('b', 'first: 1, updatedAfter: "2020-01-01T00:00:00Z"')} }`;
  const write = 'unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } }';

  test.each([
    ['1', 'needs at least 2 REST calls, and at most 1 are allowed', 0],
    ['2', undefined, 2],
  ])('(%s) lowers the limit of a query', async (limit, problem, calls) => {
    const answer = await four.query(TWO, {}, { ...BEARER, 'x-max-calls': limit });
    expect(answer.errors?.[0]?.message).toEqual(problem && expect.stringContaining(problem));
    expect(four.rest.calls).toHaveLength(calls);
  });

  test('does not raise the limit of the gateway', async () => {
    const answer = await four.query(`{ ${list('a', 'first: 5000')} }`, {}, { ...BEARER, 'x-max-calls': '9' });
    expect(answer.errors?.[0]?.message).toMatch(/^4 of the 4 REST calls/);
  });

  test('applies to a mutation before its first write, and to each operation of an array', async () => {
    const headers = { ...BEARER, 'x-max-calls': '1' };
    const mutation = await four.query(`mutation { a: ${write} b: ${write} }`, {}, headers);
    expect(codesOf(mutation)).toEqual(['OPERATION_TOO_EXPENSIVE']);
    expect(four.calls()).toEqual([]);
    const array = await four.post(JSON.stringify([{ query: DEBTORS }, { query: TWO }]), headers);
    expect(await array.json()).toMatchObject([
      { data: { debtors: {} } },
      { errors: [{ extensions: { code: 'OPERATION_TOO_EXPENSIVE' } }] },
    ]);
  });

  test.each(['', '0', '1e3', '5, 6', '1234567890'])('of "%s" is rejected', async (limit) => {
    const answer = await four.query('{ __typename }', {}, { 'x-max-calls': limit });
    expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    expect(answer.errors?.[0]?.message).toBe('`X-Max-Calls` must be a whole number of at least 1.');
  });

  test('is rejected with an export, which it would not limit', async () => {
    const answer = await four.query(DEBTORS, {}, { ...BEARER, accept: 'text/csv', 'x-max-calls': '1' });
    expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    expect(four.calls()).toEqual([]);
  });
});
