import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, issueTokens, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { cursorBehind, globalId } from '../support/ids.ts';
import { present } from '../support/present.ts';
import { changePage, changeRows } from '../support/rest-pages.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';
import type { Fault } from '../support/rest-service.mjs';
import { times } from '../support/times.ts';

const gateway = await useGateway();
const caching = await useGateway({ gateway: { cacheTtlMs: 60_000 } });

const IN = `administrationId: "${ADMINISTRATION}"`;
const debtors = debtorsOf(gateway, ADMINISTRATION);
const [first = '', second = '', third = '', fourth = '', ...others] = idsOf(debtors);
const ids = [first, second, third, fourth, ...others];
const INVALID = 'UPSTREAM_INVALID_RESPONSE';
/** Stands in what the service sent broken, and must not be shown. */
const MARK = 'd0-n0t-sh0w';

/** Each replaces a record by something else. */
const BROKEN: [string, (row: object) => unknown][] = [
  ['whose id is a number', (row) => ({ ...row, id: 77, name: MARK })],
  ['without an id', (row) => ({ ...row, id: undefined, name: MARK })],
  ['whose administration is a number', (row) => ({ ...row, administration_id: 1001, name: MARK })],
  ['that is null', () => null],
];

const breakRows = (broken: readonly number[], damage: (row: object) => unknown = () => null) =>
  changePage((page) => ({
    ...page,
    data: page.data.map((row, index) => (broken.includes(index) ? damage(row) : row)),
  }));
const list = (selection: string, args = 'first: 3') => `{ debtors(${IN}, ${args}) { ${selection} } }`;
const debtor = (id: string, fields = 'internalId') => `debtor(${IN}, by: { id: "${id}" }) { ${fields} }`;
const nodesOf = (broken: readonly number[], count = 3) =>
  ids.slice(0, count).map((internalId, index) => (broken.includes(index) ? null : { internalId }));

describe.each(BROKEN)('a record %s', (_what, damage) => {
  test('is null at its position, and the other records are complete', async () => {
    gateway.rest.misbehave(breakRows([1], damage));
    const answer = await gateway.query(list('nodes { internalId name } edges { node { internalId } }'));
    expect(answer.data).toMatchObject({
      debtors: { nodes: nodesOf([1]), edges: nodesOf([1]).map((node) => ({ node })) },
    });
    expect(answer.errors).toMatchObject([
      { path: ['debtors', 'nodes', 1], extensions: { code: INVALID, upstream: { path: '/v1/debtors' } } },
      { path: ['debtors', 'edges', 1, 'node'], extensions: { code: INVALID } },
    ]);
    expect(answer.text).not.toContain(MARK);
  });

  test('makes only its own lookup and its own join fail', async () => {
    const broken = { ...breakRows([1], damage), match: { path: '/v1/debtors' }, times: 2 };
    const cases = changeRows(() => ids.slice(0, 3).map((id, index) => ({ id: `${index}`, debtor_id: id })));
    gateway.rest.misbehave({ ...cases, match: { path: '/v1/credit_cases/deleted' } });
    gateway.rest.misbehave(broken);
    const some = JSON.stringify(ids.slice(0, 3).map((id) => globalId('Debtor', id)));
    const found = await gateway.query(`{ nodes(ids: ${some}) { ... on Debtor { internalId } } }`);
    expect(found.data).toEqual({ nodes: nodesOf([1]) });
    expect(found.errors).toMatchObject([{ path: ['nodes', 1], extensions: { code: INVALID } }]);
    const joined = await gateway.query(
      `{ deletedCreditCases(${IN}, first: 3) { nodes { debtor { internalId } } } }`,
    );
    expect(joined.data).toEqual({
      deletedCreditCases: { nodes: nodesOf([1]).map((node) => ({ debtor: node })) },
    });
    expect(joined.errors).toMatchObject([{ path: ['deletedCreditCases', 'nodes', 1, 'debtor'] }]);
  });

  test('is not cached, nor is its page, but the other records of the page are', async () => {
    const [caller] = await issueTokens(caching.rest, 1);
    const ask = async (text: string) => {
      const { data, errors, extensions } = await caching.query(text, {}, caller);
      return { data, broken: (errors ?? []).map(({ path }) => path), ...extensions };
    };
    caching.rest.misbehave({ ...breakRows([1], damage), match: { path: '/v1/debtors' } });
    expect(await ask(list('nodes { internalId }'))).toMatchObject({ broken: [['debtors', 'nodes', 1]] });
    expect(await ask(`{ ${debtor(first)} }`)).toMatchObject({ broken: [], cost: { calls: 0 } });
    expect(await ask(`{ ${debtor(second)} }`)).toMatchObject({
      data: { debtor: { internalId: second } },
      broken: [],
      cost: { calls: 1 },
    });
    expect(await ask(list('nodes { internalId }'))).toMatchObject({
      data: { debtors: { nodes: nodesOf([]) } },
      broken: [],
      cost: { calls: 1 },
    });
  });
});

describe('the cursor of an invalid record', () => {
  const EDGES = 'edges { cursor node { internalId } } pageInfo { startCursor endCursor hasNextPage }';

  test('is the cursor of the record before it, so that the invalid record is read again', async () => {
    gateway.rest.misbehave(breakRows([1, 2]));
    const answer = await gateway.query(list(EDGES, 'first: 4'));
    const [start, end] = [cursorBehind(first), cursorBehind(first, fourth)];
    expect(answer.data).toEqual({
      debtors: {
        edges: nodesOf([1, 2], 4).map((node, index) => ({ node, cursor: index < 3 ? start : end })),
        pageInfo: { startCursor: start, endCursor: end, hasNextPage: true },
      },
    });
  });

  test('is the start of the page if the first record is invalid', async () => {
    gateway.rest.misbehave({ ...breakRows([0]), times: 2 });
    const { data, errors } = await gateway.query(list(EDGES));
    const ends = ['', cursorBehind(second), cursorBehind(second, third)];
    const edges = nodesOf([0]).map((node, index) => ({ node, cursor: ends[index] }));
    const pageInfo = { startCursor: null, endCursor: ends[2], hasNextPage: true };
    expect(data).toEqual({ debtors: { edges, pageInfo } });
    expect(errors).toMatchObject([
      { path: ['debtors', 'edges', 0, 'node'] },
      { path: ['debtors', 'pageInfo', 'startCursor'] },
    ]);
    expect((await gateway.query(list(EDGES, 'first: 3, after: ""'))).data).toEqual(data);
  });
});

const foreign = breakRows([1], (row) => ({ ...row, administration_id: SMALL_ADMINISTRATION, name: MARK }));

test('a record of another administration makes only its own lookup fail', async () => {
  gateway.rest.misbehave(foreign);
  const answer = await gateway.query(`{ a: ${debtor(first, 'name')} b: ${debtor(second, 'name')} }`);
  expect(answer.data).toEqual({ a: { name: present(debtors[0]).name }, b: null });
  expect(answer.errors).toMatchObject([{ path: ['b'], extensions: { code: INVALID } }]);
});

test.each<[string, unknown, string[]]>([
  ['absent', undefined, []],
  ['empty', '', []],
  ['a number', 7, [INVALID]],
  ['too long for a URL when encoded', 'ü'.repeat(200), [INVALID]],
])('an invalid key makes only its own join fail, if the key is %s', async (_what, debtor_id, codes) => {
  gateway.rest.misbehave(
    changeRows(() => [
      { id: '1', debtor_id },
      { id: '2', debtor_id: first },
    ]),
  );
  const answer = await gateway.query(
    `{ deletedCreditCases(${IN}, first: 2) { nodes { debtor { internalId } } } }`,
  );
  expect(answer.data).toEqual({
    deletedCreditCases: { nodes: [{ debtor: null }, { debtor: { internalId: first } }] },
  });
  expect(codesOf(answer)).toEqual(codes);
  for (const { path } of answer.errors ?? [])
    expect(path).toEqual(['deletedCreditCases', 'nodes', 0, 'debtor']);
  expect(gateway.calls()[1]).toMatchObject({ call: 'GET /v1/debtors', ids: first });
});

const match = { path: '/v1/payments/deleted' };
const lists = (prefix: string, payments: string) => `
  debtors(${prefix}first: 1) { nodes { internalId } }
  declarationLines(${prefix}first: 1) { nodes { internalId } }
  deletedPayments(${prefix}first: 1${payments}) { nodes { internalId } }`;
const ROW = { nodes: [{ internalId: expect.any(String) }] };
const KEPT = { debtors: ROW, declarationLines: ROW, deletedPayments: null };

test.each<[string, Fault | undefined, string, string, number]>([
  ['the service is down', { kind: 'status', status: 503, times: 6, match }, '', 'UPSTREAM_UNAVAILABLE', 3],
  ['the service does not allow it', { kind: 'status', status: 403, times: 2, match }, '', 'FORBIDDEN', 1],
  ['its argument is bad', undefined, ', after: "nowhere"', 'BAD_USER_INPUT', 0],
])('one of several lists fails alone if %s', async (_why, fault, argument, code, calls) => {
  if (fault) gateway.rest.misbehave(fault);
  const result = await gateway.query(`{ ${lists(`${IN}, `, argument)} }`);
  expect(result.data).toEqual(KEPT);
  expect(result.errors).toMatchObject([{ path: ['deletedPayments'], extensions: { code } }]);
  const inside = await gateway.query(
    `{ administration(id: "${ADMINISTRATION}") { ${lists('', argument)} } }`,
  );
  expect(inside.data).toEqual({ administration: KEPT });
  expect(inside.errors).toMatchObject([
    { path: ['administration', 'deletedPayments'], extensions: { code } },
  ]);
  expect(gateway.calls()).toHaveLength(2 * (2 + calls));
});

test('the first 500 errors of invalid records are shown, with the number of the others', async () => {
  const broken = changeRows((rows) => rows.map((row) => ({ ...row, call_phone_number: 5 })));
  gateway.rest.misbehave({ ...broken, times: 2 });
  const { data, errors = [] } = await gateway.query(list('nodes { phone: callPhoneNumber }', 'first: 700'));
  expect(data).toEqual({ debtors: { nodes: times(700, () => ({ phone: null })) } });
  expect(errors).toHaveLength(501);
  expect(errors[499]).toMatchObject({
    path: ['debtors', 'nodes', 499, 'phone'],
    extensions: { code: INVALID },
  });
  expect(errors[500]).toMatchObject({
    message: expect.stringContaining('200 more errors are not shown'),
    extensions: { code: 'MORE_ERRORS' },
  });
});
