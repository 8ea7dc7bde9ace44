import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { cursorOf, globalId } from '../support/ids.ts';
import { present } from '../support/present.ts';
import { changePage } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';

const gateway = await useGateway();

const READS = ['id', 'administration_id'];
const DEBTORS = { call: 'GET /v1/debtors', administration_id: ADMINISTRATION };
const debtors = debtorsOf(gateway, ADMINISTRATION);
const IN = `administrationId: "${ADMINISTRATION}"`;

describe('fields with the same list in one operation', () => {
  test('share one call with the union of their selections, anywhere in the operation', async () => {
    const { data } = await gateway.query(`{
      a: debtors(${IN}, first: 2) { nodes { name } }
      b: debtors(administrationId: "${globalId('Administration', ADMINISTRATION)}", first: 2) { edges { node { remark } } }
      administration(id: "${ADMINISTRATION}") { debtors(first: 2) { nodes { updatedAt } } }
    }`);
    const rows = debtors.slice(0, 2);
    expect(data).toEqual({
      a: { nodes: rows.map(({ name }) => ({ name })) },
      b: { edges: rows.map(({ remark }) => ({ node: { remark: remark ?? null } })) },
      administration: { debtors: { nodes: rows.map(({ updated_at }) => ({ updatedAt: updated_at })) } },
    });
    const only = [...READS, 'name', 'remark', 'updated_at'];
    expect(gateway.calls()).toEqual([{ ...DEBTORS, per_page: '2', only }]);
  });

  test('share one read as long as the longest of them needs, and each gets its own length', async () => {
    const list = (first: number) =>
      `f${first}: debtors(${IN}, first: ${first}) { edges { cursor node { internalId } } pageInfo { hasNextPage endCursor } }`;
    const { data } = await gateway.query<Record<string, { edges: { cursor: string }[] }>>(
      `{ ${list(1)} ${list(4)} ${list(3)} }`,
    );
    const edges = data.f4?.edges.map(({ cursor }, index) => ({
      cursor,
      node: { internalId: debtors[index]?.id },
    }));
    for (const first of [1, 3, 4])
      expect(data[`f${first}`]).toEqual({
        edges: edges?.slice(0, first),
        pageInfo: { hasNextPage: true, endCursor: edges?.[first - 1]?.cursor },
      });
    expect(gateway.calls()).toEqual([{ ...DEBTORS, per_page: '4', only: READS }]);
  });
});

async function read(firsts: readonly number[], args = '') {
  const fields = firsts.map(
    (first) =>
      `f${first}: debtors(${IN}, first: ${first}${args}) { nodes { internalId } pageInfo { hasNextPage } }`,
  );
  const answer = await gateway.query(`{ ${fields.join(' ')} }`);
  return { data: answer.data, failed: (answer.errors ?? []).map(({ path }) => path?.[0]).sort() };
}

test.each([
  [[5, 500, 501, 600], 0, ['f501', 'f600']],
  [[5, 300, 600, 700], 3, ['f600', 'f700']],
])('if page 2 fails, so do the fields that need it: first %j after %i', async (firsts, start, expected) => {
  gateway.rest.misbehave(
    changePage((body) => {
      gateway.rest.misbehave({ kind: 'status', status: 500 });
      return body;
    }),
  );
  const after = start > 0 ? `, after: "${cursorOf(present(debtors[start - 1]).id)}"` : '';
  const { data, failed } = await read(firsts, after);
  expect(failed).toEqual(expected);
  const lists = firsts.map((first) => {
    const nodes = debtors.slice(start, start + first).map(({ id }) => ({ internalId: id }));
    return [`f${first}`, expected.includes(`f${first}`) ? null : { nodes, pageInfo: { hasNextPage: true } }];
  });
  expect(data).toEqual(Object.fromEntries(lists));
  expect(gateway.calls()).toHaveLength(2);
});

describe('joins', () => {
  test('fetches the debtors of 100 deleted credit cases in two calls', async () => {
    const { data } = await gateway.query<{
      deletedCreditCases: { nodes: readonly { debtorId: string; debtor: object | null }[] };
    }>(`{ deletedCreditCases(${IN}) { nodes { debtorId debtor { internalId name } } } }`);
    const { nodes } = data.deletedCreditCases;
    const known = new Map(debtors.map(({ id, name }) => [id, { internalId: id, name }]));
    expect(nodes).toHaveLength(100);
    expect(nodes).toEqual(nodes.map(({ debtorId }) => ({ debtorId, debtor: known.get(debtorId) ?? null })));
    expect(nodes.some(({ debtor }) => debtor === null)).toBe(true);
    const ids = [...new Set(nodes.map(({ debtorId }) => debtorId))];
    expect(gateway.calls()).toEqual([
      { call: 'GET /v1/credit_cases/deleted', administration_id: ADMINISTRATION, per_page: '100' },
      { ...DEBTORS, ids: ids.join(','), per_page: String(ids.length), only: [...READS, 'name'] },
    ]);
  });
});
