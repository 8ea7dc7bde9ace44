import { expect } from 'vitest';
import { type Answer, BASIC, BEARER, type TestGateway, useGateway } from '../support/gateway.ts';
import type { Expected } from './answers.ts';
import type { Case } from './generate.ts';
import { operationOf } from './operation.ts';
import { data } from './service.ts';
import { isObject, Texts } from './values.ts';

/** A gateway and the model of its language. */
export interface Language {
  readonly gateway: TestGateway;
  readonly texts: Texts;
  readonly calls: TestGateway['calls'];
}

/** Gateways over one service, in two languages. */
export async function useLanguages() {
  const english = await useGateway({ rest: { data }, gateway: { maxCalls: 1000, orderLocale: 'en' } });
  const { rest, calls } = english;
  const swedish = await useGateway({
    gateway: { restUrl: new URL(rest.url), maxCalls: 1000, orderLocale: 'sv' },
  });
  const languages: Record<'en' | 'sv', Language> = {
    en: { gateway: english, texts: new Texts('en'), calls },
    sv: { gateway: swedish, texts: new Texts('sv'), calls },
  };
  return { rest, languages };
}

/** Asks all of a case in one operation. */
export function run(
  gateway: TestGateway,
  { spec, asks }: Pick<Case, 'spec' | 'asks'>,
  after?: string,
): Promise<Answer<unknown>> {
  const { query, variables } = operationOf(spec, asks, after);
  return gateway.query(query, variables, spec.isInAdministration ? BEARER : BASIC);
}

/** Checks a list of an answer and its errors, and returns it as it is. */
export function expectAnswer(answer: Answer<unknown>, path: readonly string[], expected: Expected): unknown {
  const connection = path.reduce<unknown>(
    (source, name) => (isObject(source) ? source[name] : undefined),
    answer.data,
  );
  // A record that lacks what the schema promises is null, with an error inside of the list.
  const codes = (answer.errors ?? [])
    .filter(({ path: at = [] }) => at.length <= path.length && path[at.length - 1] === at.at(-1))
    .map(({ extensions }) => extensions.code);
  expect({ codes, connection: withoutCursors(connection) }).toEqual({
    codes: expected.connection ? [] : ['LIST_TOO_LONG'],
    connection: expected.connection,
  });
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
