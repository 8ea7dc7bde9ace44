import { describe, expect, test } from 'vitest';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { graphql } from '../generated/index.ts';
import { ADMINISTRATION, SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changePage, type RestPage } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';

const gateway = await useGateway();

const READS = ['id', 'administration_id'];
const DEBTORS = { call: 'GET /v1/debtors', administration_id: ADMINISTRATION };
const debtors = debtorsOf(gateway, ADMINISTRATION);

describe('the same list in one operation', () => {
  test('is one call with the union of the selections, wherever it is asked for', async () => {
    const global = encodeGlobalId({
      type: 'Administration',
      administration: ADMINISTRATION,
      id: ADMINISTRATION,
    });
    const { data } = await gateway.query(`{
      a: debtors(administrationId: "${ADMINISTRATION}", first: 2) { nodes { name } }
      b: debtors(administrationId: "${global}", first: 2) { edges { node { remark } } }
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

  test('is read as far as the longest goes, and each gets its own length', async () => {
    const { data } = await gateway.query(
      graphql(`
        query ListsOfThreeLengths($administrationId: ID!) {
          short: debtors(administrationId: $administrationId, first: 1) {
            nodes { internalId }
            pageInfo { hasNextPage endCursor }
          }
          long: debtors(administrationId: $administrationId, first: 4) {
            nodes { internalId }
            edges { cursor }
            pageInfo { hasNextPage endCursor }
          }
          middle: debtors(administrationId: $administrationId, first: 3) {
            nodes { internalId }
            pageInfo { hasNextPage endCursor }
          }
        }
      `),
      { administrationId: ADMINISTRATION },
    );
    const rows = debtors.slice(0, 4).map(({ id }) => ({ internalId: id }));
    const cursors = present(data.long).edges.map(({ cursor }) => cursor);
    const pageInfo = (index: number) => ({ hasNextPage: true, endCursor: cursors[index] });
    expect(data.short).toEqual({ nodes: rows.slice(0, 1), pageInfo: pageInfo(0) });
    expect(data.middle).toEqual({ nodes: rows.slice(0, 3), pageInfo: pageInfo(2) });
    expect(data.long).toMatchObject({ nodes: rows, pageInfo: pageInfo(3) });
    expect(gateway.calls()).toEqual([{ ...DEBTORS, per_page: '4', only: READS }]);
  });

  test('is another list with other filters, another administration or another start', async () => {
    const list = (args: string) => `debtors(${args}, first: 1) { nodes { id } }`;
    const after = Buffer.from(`0:${present(debtors[0]).id}`).toString('base64url');
    const { errors } = await gateway.query(`{
      a: ${list(`administrationId: "${ADMINISTRATION}"`)}
      b: ${list(`administrationId: "${SMALL_ADMINISTRATION}"`)}
      c: ${list(`administrationId: "${ADMINISTRATION}", updatedAfter: "2025-01-01T00:00:00Z"`)}
      d: ${list(`administrationId: "${ADMINISTRATION}", after: "${after}"`)}
    }`);
    expect(errors).toBeUndefined();
    const calls = gateway.calls();
    expect(calls).toHaveLength(4);
    const common = { ...DEBTORS, per_page: '1', only: READS };
    expect(calls).toEqual(
      expect.arrayContaining([
        common,
        { ...common, administration_id: SMALL_ADMINISTRATION },
        { ...common, updated_after: '2025-01-01T00:00:00Z' },
        { ...common, cursor: debtors[0]?.id },
      ]),
    );
  });
});

describe('a longer copy of a list that fails', () => {
  const FAILED = { kind: 'status', status: 500 } as const;

  /** Lets the second of the REST calls fail. */
  function failSecond(): void {
    gateway.rest.misbehave(
      changePage((body) => {
        gateway.rest.misbehave(FAILED);
        return body;
      }),
    );
  }

  async function read(firsts: readonly number[], args = '') {
    const fields = firsts.map(
      (first) =>
        `f${first}: debtors(administrationId: "${ADMINISTRATION}", first: ${first}${args}) ` +
        '{ nodes { internalId } pageInfo { hasNextPage } }',
    );
    const answer = await gateway.query(`{ ${fields.join(' ')} }`);
    return { answer, failed: (answer.errors ?? []).map(({ path }) => path?.[0]) };
  }

  test.each([
    [[5, 600], 0, ['f600']],
    [[600, 5], 0, ['f600']],
    [[5, 500, 501, 600], 0, ['f501', 'f600']],
    [[5, 300, 600, 700], 3, ['f600', 'f700']],
    [[600, 700], 0, ['f600', 'f700']],
  ])('spares those that have their rows: %j behind %i rows', async (firsts, start, expected) => {
    failSecond();
    const after = Buffer.from(`:${debtors[start - 1]?.id}`).toString('base64url');
    const { answer, failed } = await read(firsts, start > 0 ? `, after: "${after}"` : '');
    expect(failed.sort()).toEqual(expected);
    expect(answer.data).toEqual(
      Object.fromEntries(
        firsts.map((first) => {
          const nodes = debtors.slice(start, start + first).map(({ id }) => ({ internalId: id }));
          const list = { nodes, pageInfo: { hasNextPage: true } };
          return [`f${first}`, expected.includes(`f${first}`) ? null : list];
        }),
      ),
    );
    expect(gateway.calls()).toHaveLength(2);
  });

  describe('in a later part of a long filter', () => {
    const ids = debtors.slice(0, 700).map(({ id }) => id);
    const filter = `, ids: ${JSON.stringify(ids)}`;
    const hasStart = ({ data }: RestPage) => data.some((row) => 'id' in row && row.id === ids[0]);

    test('spares those that have their rows', async () => {
      gateway.rest.misbehave({ ...changePage((page) => (hasStart(page) ? page : {})), times: 9 });
      const { answer, failed } = await read([5, 700], filter);
      expect(failed).toEqual(['f700']);
      const nodes = ids.slice(0, 5).map((internalId) => ({ internalId }));
      expect(answer.data).toEqual({ f5: { nodes, pageInfo: { hasNextPage: true } }, f700: null });
    });

    test('fails one that ends where it starts, since nobody knows whether more follow', async () => {
      await read([700], filter);
      const parts = gateway.rest.calls.map(({ query }) => query.ids?.split(',') ?? []);
      const { length } = present(parts.find((part) => part.includes(present(ids[0]))));
      gateway.rest.misbehave({ ...changePage((page) => (hasStart(page) ? page : {})), times: 9 });
      const { failed } = await read([length - 1, length, 700], filter);
      expect(failed).toEqual([`f${length}`, 'f700']);
    });
  });
});

describe('joins', () => {
  test('of 100 deleted credit cases are two calls in all', async () => {
    const { data } = await gateway.query(
      graphql(`
        query DebtorsOfDeletedCases($administrationId: ID!) {
          deletedCreditCases(administrationId: $administrationId) {
            nodes { debtorId debtor { internalId name } }
          }
        }
      `),
      { administrationId: ADMINISTRATION },
    );
    const nodes = present(data.deletedCreditCases).nodes.map(present);
    const known = new Map(debtors.map(({ id, name }) => [id, { internalId: id, name }]));
    const debtorIds = [...new Set(nodes.map(({ debtorId }) => present(debtorId)))];
    expect(nodes).toHaveLength(100);
    expect(nodes).toEqual(
      nodes.map(({ debtorId }) => ({ debtorId, debtor: known.get(present(debtorId)) ?? null })),
    );
    expect(nodes.some(({ debtor }) => debtor === null)).toBe(true);
    expect(gateway.calls()).toEqual([
      { call: 'GET /v1/credit_cases/deleted', administration_id: ADMINISTRATION, per_page: '100' },
      { ...DEBTORS, ids: debtorIds.join(','), per_page: String(debtorIds.length), only: [...READS, 'name'] },
    ]);
  });

  test('of two lists that are read side by side name a debtor once in each call', async () => {
    const { errors } = await gateway.query(`{
      a: deletedCreditCases(administrationId: "${ADMINISTRATION}", first: 50) { nodes { debtor { name } } }
      b: deletedCreditCases(administrationId: "${ADMINISTRATION}", first: 20) { nodes { debtor { remark } } }
    }`);
    expect(errors).toBeUndefined();
    const calls = gateway.calls();
    expect(calls).toHaveLength(2);
    expect(calls[1]).toMatchObject({ ...DEBTORS, only: [...READS, 'name', 'remark'] });
    const ids = String(calls[1]?.ids).split(',');
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('are left out where nothing points to a record', async () => {
    const task = present(
      gateway.rest.data.tasks.find((row) => row.administration_id === ADMINISTRATION && !row.debtor_id),
    );
    const { data } = await gateway.query(
      'mutation ($taskId: ID!) { unmarkTaskCompleted(input: { taskId: $taskId }) { task { debtor { name } } } }',
      { taskId: task.id },
    );
    expect(data).toEqual({ unmarkTaskCompleted: { task: { debtor: null } } });
    expect(gateway.calls()).toMatchObject([{ only: [...READS, 'debtor_id'] }]);
    expect(gateway.calls()).toHaveLength(1);
  });
});
