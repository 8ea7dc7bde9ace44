import { expect } from 'vitest';
import { type QueryResult, type TestGateway, useGateway } from '../support/gateway.ts';
import type { DemoData, DemoService } from '../support/rest-service.mjs';
import { createData } from '../support/rest-world.ts';
import type { Expected } from './answers.ts';
import type { Case } from './generate.ts';
import type { ListSpec } from './lists.ts';
import type { Row } from './model.ts';
import { operationOf } from './operation.ts';
import { isObject } from './values.ts';

const data: DemoData = {
  ...createData({ administrations: 2, debtors: 0, cases: 0, idLength: 1 }),
  companies: [],
};

export function serveRows(
  rest: DemoService,
  { name }: ListSpec,
  rows: readonly Row[],
  perPage: number,
): void {
  const own = { administration_id: '1001', deleted_at: new Date().toISOString() };
  const sent = new Map(rows.map((row) => [row.id, row]));
  const list: unknown = Object.entries(data).find(([key]) => key === name)?.[1];
  if (Array.isArray(list)) list.splice(0, list.length, ...rows.map((row) => ({ ...row, ...own })));
  rest.behave();
  rest.misbehave({
    kind: 'rewrite',
    times: Number.POSITIVE_INFINITY,
    rewrite(body) {
      if (!isObject(body) || !Array.isArray(body.data)) return body;
      const page: readonly Readonly<Record<string, unknown>>[] = body.data.slice(0, perPage);
      return {
        ...body,
        ...(body.data.length > perPage && { pagination: { cursor: page.at(-1)?.id } }),
        // The service needs to know when a record was deleted, whatever the row says.
        data: page.map((row) =>
          'deleted_at' in row ? { ...row, deleted_at: sent.get(String(row.id))?.deleted_at } : row,
        ),
      };
    },
  });
}

export function useLists(): Promise<TestGateway> {
  return useGateway({ rest: { data }, gateway: { maxCalls: 1000, orderLocale: 'sv' } });
}

export function run(
  gateway: TestGateway,
  { spec, asks }: Pick<Case, 'spec' | 'asks'>,
  after?: string,
): Promise<QueryResult<unknown>> {
  const { query, variables } = operationOf(spec, asks, after);
  return gateway.query(query, variables);
}

export function expectAnswer(answer: QueryResult<unknown>, name: string, expected: Expected): unknown {
  const connection = isObject(answer.data) ? answer.data[name] : undefined;
  // A record that lacks what the schema promises is null, with an error inside of the list.
  const own = (answer.errors ?? []).filter(({ path }) => path?.length === 1 && path[0] === name);
  expect([own, withoutCursors(connection)]).toEqual([[], expected.connection]);
  return connection;
}

/** Cursors are opaque: only that those of the page are those of its ends. */
function withoutCursors(connection: unknown): unknown {
  if (!isObject(connection) || !Array.isArray(connection.edges) || !isObject(connection.pageInfo))
    return connection;
  const { startCursor, endCursor, ...pageInfo } = connection.pageInfo;
  expect([startCursor, endCursor]).toEqual([
    connection.edges.at(0)?.cursor ?? null,
    connection.edges.at(-1)?.cursor ?? null,
  ]);
  return { ...connection, pageInfo, edges: connection.edges.map(({ node }) => ({ node })) };
}
