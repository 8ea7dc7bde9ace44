import { beforeEach, describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { cursorBehind, globalId } from '../support/ids.ts';
import { present } from '../support/present.ts';
import { changePage, changeRows } from '../support/rest-pages.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';
import { MANY_FIELDS } from './support.ts';

const gateway = await useGateway();
const { data } = gateway.rest;
const original = [...data.debtors];
beforeEach(() => void data.debtors.splice(0, original.length, ...original));

const READS = ['id', 'administration_id'];
const DEBTORS = { call: 'GET /v1/debtors', administration_id: ADMINISTRATION };
const INVALID = { extensions: { code: 'UPSTREAM_INVALID_RESPONSE', upstream: { path: '/v1/debtors' } } };
const debtors = debtorsOf(gateway, ADMINISTRATION);
const [one, two, three] = [present(debtors[0]), present(debtors[1]), present(debtors[2])];

const debtor = (by: string, fields = 'name', administration = ADMINISTRATION) =>
  `debtor(administrationId: "${administration}", by: { ${by} }) { ${fields} }`;

async function queryNodes(ids: readonly string[], fields = '') {
  const answer = await gateway.query<{ nodes: readonly ({ readonly internalId: string } | null)[] }>(
    `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Debtor { internalId ${fields} } } }`,
    { ids: ids.map((id) => globalId('Debtor', id)) },
  );
  return { answer, found: answer.data.nodes.map((node) => node?.internalId ?? null) };
}

describe('lookups in one operation', () => {
  test.each([
    ['id', 'id', 'ids', []],
    ['debtorNumber', 'debtor_number', 'debtor_numbers', ['debtor_number']],
    ['debtorIdentifier', 'debtor_identifier', 'debtor_identifiers', ['debtor_identifier']],
  ] as const)('by %s share one call with the union of selections', async (key, member, parameter, keys) => {
    const by = (row: typeof one, fields: string) => debtor(`${key}: "${row[member]}"`, fields);
    const answer = await gateway.query(
      `{ a: ${by(one, 'name')} b: ${by(two, 'remark')} c: ${by(three, 'name postalAddress { city }')} }`,
    );
    expect(answer.data).toEqual({
      a: { name: one.name },
      b: { remark: two.remark ?? null },
      c: { name: three.name, postalAddress: { city: three.postal_address.city } },
    });
    const only = [...READS, 'name', 'remark', { postal_address: ['city'] }, ...keys];
    // Several debtors may have one number, so that there may be more rows than keys.
    const per_page = key === 'id' ? '3' : '500';
    const values = [one, two, three].map((row) => row[member]).join(',');
    expect(gateway.calls()).toEqual([{ ...DEBTORS, [parameter]: values, per_page, only }]);
  });

  test('by either id of a record, and lists and nodes with it, share one call', async () => {
    const { id } = one;
    const global = globalId('Debtor', id);
    const answer = await gateway.query(`{
      a: ${debtor(`id: "${id}"`)}
      b: ${debtor(`id: "${global}"`, 'debtorNumber')}
      node(id: "${global}") { ... on Debtor { updatedAt } }
      nodes(ids: ["${global}", "${global}"]) { id }
      debtors(administrationId: "${ADMINISTRATION}", ids: ["${global}"]) {
        nodes { remark }
        pageInfo { hasNextPage startCursor endCursor }
      }
    }`);
    const cursor = cursorBehind(id);
    expect(answer.data).toEqual({
      a: { name: one.name },
      b: { debtorNumber: one.debtor_number },
      node: { updatedAt: one.updated_at },
      nodes: [{ id: global }, { id: global }],
      debtors: {
        nodes: [{ remark: one.remark }],
        pageInfo: { hasNextPage: false, startCursor: cursor, endCursor: cursor },
      },
    });
    const only = [...READS, 'name', 'debtor_number', 'updated_at', 'remark'];
    expect(gateway.calls()).toEqual([{ ...DEBTORS, ids: id, per_page: '1', only }]);
    expect(answer.extensions).toMatchObject({ cost: { calls: 1 } });
  });
});

/** Gives the first debtors these numbers, each to as many in a row. */
function share(counts: Readonly<Record<string, number>>) {
  const numbers = Object.entries(counts).flatMap(([number, count]) => Array<string>(count).fill(number));
  const shared = numbers.map((debtor_number, index) => ({ ...present(debtors[index]), debtor_number }));
  const sharing = new Set(idsOf(shared));
  data.debtors.splice(0, original.length, ...shared, ...original.filter(({ id }) => !sharing.has(id)));
  const firsts = Object.keys(counts).map((number) => [
    number,
    { internalId: debtors[numbers.indexOf(number)]?.id },
  ]);
  return Object.fromEntries(firsts);
}
const lookups = (numbers: readonly string[]) =>
  `{ ${numbers.map((number) => `${number}: ${debtor(`debtorNumber: "${number}"`, 'internalId')}`).join(' ')} }`;

test.each<[Record<string, number>, number]>([
  [{ A: 10, B: 1 }, 1],
  [{ A: 499, B: 1 }, 1],
  [{ A: 500, B: 1 }, 2],
  [{ A: 1400, B: 1, C: 1 }, 2],
  [{ A: 500, B: 500, C: 500 }, 3],
])('a lookup by a number of several debtors returns the first: %j in %i calls', async (counts, calls) => {
  const firsts = share(counts);
  const answer = await gateway.query(lookups([...Object.keys(counts), 'nobody']));
  expect(codesOf(answer)).toEqual([]);
  expect(answer.data).toEqual({ ...firsts, nobody: null });
  expect(gateway.calls()).toHaveLength(calls);
});

describe('the response to a lookup', () => {
  const ids = idsOf(debtors.slice(0, 4));
  const [, second = '', third = '', fourth = ''] = ids;

  test.each([
    ['reordered', changeRows((rows) => [...rows].reverse()), ids],
    ['duplicated', changeRows((rows) => [...rows, ...rows]), ids],
    ['incomplete', changeRows((rows) => rows.slice(1)), [null, second, third, fourth]],
    [
      'mixed with other records',
      changeRows((rows) => [{ id: '1', administration_id: ADMINISTRATION }, ...rows]),
      ids,
    ],
  ])('is matched by id if it is %s', async (_, fault, expected) => {
    gateway.rest.misbehave(fault);
    const { answer, found } = await queryNodes(ids);
    expect(answer.errors).toBeUndefined();
    expect(found).toEqual(expected);
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each<[string, string, object]>([
    ['a number that is not a string', 'debtorNumber: "7"', { debtor_number: 7 }],
    ['another identifier', 'debtorIdentifier: "7"', { debtor_identifier: '8' }],
    ['another id', 'id: "7"', { id: '8' }],
  ])('is an error if it contains only another record: %s', async (_what, by, members) => {
    gateway.rest.misbehave(
      changePage(() => ({ data: [{ ...one, ...members }], pagination: { cursor: 'more' } })),
    );
    const answer = await gateway.query(`{ ${debtor(by)} }`);
    expect(answer.data).toEqual({ debtor: null });
    expect(answer.errors).toMatchObject([{ path: ['debtor'], ...INVALID }]);
    // A service that does not filter is not asked page by page.
    expect(gateway.calls()).toHaveLength(1);
  });
});

describe('a long list of ids', () => {
  test('is split at 500, and each call requests as many rows as it has ids', async () => {
    const ids = idsOf(debtors.slice(0, 1200));
    const { found } = await queryNodes(ids);
    expect(found).toEqual(ids);
    const sent = gateway.rest.calls.map(({ query }) => [query.ids?.split(',').length, query.per_page]);
    expect(sent.toSorted()).toEqual([
      [200, '200'],
      [500, '500'],
      [500, '500'],
    ]);
  });

  test('with many selected fields is split into as few calls as URLs of 4,000 bytes allow', async () => {
    const ids = idsOf(debtors.slice(0, 700));
    expect((await queryNodes(ids, MANY_FIELDS)).found).toEqual(ids);
    const lengths = gateway.rest.calls.map(({ url }) => gateway.rest.url.length + url.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4000);
    const [{ query, url } = { query: { ids: '' }, url: '' }] = gateway.rest.calls;
    const room = 4000 - (gateway.rest.url.length + url.length - (query.ids?.length ?? 0));
    expect(lengths).toHaveLength(Math.ceil((ids.length * 7) / room));
  });

  test('loses only the records whose call fails', async () => {
    gateway.rest.misbehave({ kind: 'status', status: 403 });
    const { answer, found } = await queryNodes(idsOf(debtors.slice(0, 600)));
    const failed = gateway.rest.calls.find(({ status }) => status === 403)?.query.ids?.split(',').length ?? 0;
    expect(codesOf(answer)).toEqual(Array(failed).fill('FORBIDDEN'));
    expect(found.filter((id) => id !== null)).toHaveLength(600 - failed);
    expect(gateway.calls()).toHaveLength(2);
  });
});
