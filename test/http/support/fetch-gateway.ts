import type { Plugin } from 'graphql-yoga';
import { afterEach, expect } from 'vitest';
import {
  type Environment,
  type Host,
  type LibraryGateway,
  type Options,
  type ReadResponse,
  read,
  useLibrary,
} from '../../library/support.ts';
import { eventually } from '../../support/eventually.ts';
import { ADMINISTRATION, BEARER } from '../../support/gateway.ts';

export const ENDPOINT = 'http://localhost/graphql';
export const JSON_BODY = { 'content-type': 'application/json' };
export const TYPENAME = '{ __typename }';
export const LIST = `query List { debtors(administrationId: "${ADMINISTRATION}", first: 2) { nodes { name } } }`;
export const WRITE = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } } }';

export type RequestHeaders = Readonly<Record<string, string>>;

export interface Init extends RequestInit {
  readonly headers?: RequestHeaders;
  /** Required if the body is a stream. */
  readonly duplex?: 'half';
}

/** A gateway that is asked by `fetch`, without a port. */
export interface FetchGateway extends LibraryGateway {
  fetch(init?: Init, url?: string): Promise<ReadResponse>;
  /** Posts parameters as company A, or as the headers say; text is sent as it is. */
  post(params: object | string, headers?: RequestHeaders, signal?: AbortSignal): Promise<ReadResponse>;
  get(parameters: Readonly<Record<string, string>>, headers?: RequestHeaders): Promise<ReadResponse>;
  held(): Held;
}

interface Held {
  readonly operations: number;
  readonly operationBytes: number | undefined;
  readonly restCalls: number;
}

export const NOTHING: Held = { operations: 0, operationBytes: 0, restCalls: 0 };

/** Serves the tests of one file; after each of them, the gateway must hold nothing any more. */
export async function useFetchGateway(
  options?: Options,
  env: Environment = {},
  host?: Host,
): Promise<FetchGateway> {
  // The cache is off by default, so that each test sees every call.
  const library = await useLibrary(options, { CACHE_TTL_MS: '0', ...env }, host);
  const gateway = fetchGateway(library);
  afterEach(() => eventually(() => expect(gateway.held()).toEqual(NOTHING)));
  return gateway;
}

function fetchGateway(library: LibraryGateway): FetchGateway {
  const { gateway } = library;
  // Yoga's Request adds `Content-Length` to the object that it is given.
  const fetch: FetchGateway['fetch'] = async ({ headers, ...init } = {}, url = ENDPOINT) =>
    read(await gateway.fetch(url, { ...init, headers: { ...headers } }));
  return {
    ...library,
    fetch,
    post(params, headers = BEARER, signal) {
      const body = typeof params === 'string' ? params : JSON.stringify(params);
      return fetch({
        method: 'POST',
        headers: { ...JSON_BODY, ...headers },
        body,
        ...(signal && { signal }),
      });
    },
    get: (parameters, headers = BEARER) =>
      fetch({ method: 'GET', headers: { ...headers } }, `${ENDPOINT}?${new URLSearchParams(parameters)}`),
    held() {
      const { operationsInFlight, memory, rest } = gateway.stats();
      return {
        operations: operationsInFlight,
        operationBytes: memory.operations,
        restCalls: rest.inFlight + rest.queued,
      };
    },
  };
}

/** A plugin of a user that is another one for each test. */
export function pluginSlot() {
  let user: Plugin = {};
  const plugin: Plugin = {
    onRequest: (payload) => user.onRequest?.(payload),
    onRequestParse: (payload) => user.onRequestParse?.(payload),
    onParams: (payload) => user.onParams?.(payload),
    onContextBuilding: (payload) => user.onContextBuilding?.(payload),
    onExecute: (payload) => user.onExecute?.(payload),
    onSubscribe: (payload) => user.onSubscribe?.(payload),
    onExecutionResult: (payload) => user.onExecutionResult?.(payload),
    onResultProcess: (payload) => user.onResultProcess?.(payload),
    onResponse: (payload) => user.onResponse?.(payload),
  };
  async function withPlugin<T>(given: Plugin, ask: () => Promise<T>): Promise<T> {
    user = given;
    return ask().finally(() => {
      user = {};
    });
  }
  return { plugin, withPlugin };
}
