import { expect } from 'vitest';
import { type Answer, type TestGateway, useGateway } from '../support/gateway.ts';
import type { Expected } from './answers.ts';
import type { Case } from './generate.ts';
import { operationOf } from './operation.ts';
import { data } from './service.ts';
import { isObject } from './values.ts';

/** A gateway over a service whose lists are filled by each case. */
export function useLists(): Promise<TestGateway> {
  return useGateway({ rest: { data }, gateway: { maxCalls: 1000, orderLocale: 'sv' } });
}

/** Asks all of a case in one operation. */
export function run(
  gateway: TestGateway,
  { spec, asks }: Pick<Case, 'spec' | 'asks'>,
  after?: string,
): Promise<Answer<unknown>> {
  const { query, variables } = operationOf(spec, asks, after);
  return gateway.query(query, variables);
}

/** Checks a list of an answer and its errors, and returns it as it is. */
export function expectAnswer(answer: Answer<unknown>, name: string, expected: Expected): unknown {
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
