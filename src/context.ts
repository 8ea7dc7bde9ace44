import type { IncomingHttpHeaders } from 'node:http';
import type { Budget } from './budget.ts';
import type { Credentials, RestSession } from './rest/session.ts';
import type { Holding } from './rest/shared-budget.ts';

/** What a resolver knows of its operation. */
export interface Context {
  readonly rest: RestSession;
  /** What batches its requests, by who made it. */
  readonly loaders: { [maker: symbol]: object };
  /** Whether the answer is to list the REST calls behind it. */
  readonly explain: boolean;
  /** The most rows that one list may ask for. */
  readonly maxFirst: number;
  /** What its answer may take. */
  readonly budget: Budget;
  /** What it holds of the memory that all operations share. */
  readonly holding: Holding;
}

/**
 * The caller's credentials. Basic may come in `Authorization`, or in a header of its own so that one
 * operation can use both; that one is the more explicit, so it goes first.
 */
export function credentialsOf(headers: IncomingHttpHeaders, own?: string): Credentials {
  const { authorization, 'x-client-authorization': client } = headers;
  return {
    bearer: ofScheme(BEARER, authorization),
    basic: ofScheme(BASIC, client) ?? ofScheme(BASIC, authorization),
    own,
  };
}

const BASIC = /^basic +[\x21-\x7e]+$/i;
const BEARER = /^bearer +[\x21-\x7e]+$/i;

function ofScheme(scheme: RegExp, value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && scheme.test(value) ? value : undefined;
}

/** `Authorization: Basic` for an application. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}
