import { Agent, request } from 'undici';
import { afterAll, beforeEach, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { demoCredentials } from '../../src/demo/applications.ts';
import { createGateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { Compression } from '../../src/http/compression.ts';
import { createProbes } from '../../src/pages/status.ts';
import { basicAuthorization, readCredentials } from '../../src/request/credentials.ts';
import type { HostOptions } from '../../src/request/state.ts';
import { createHttpServer, type HttpServerOptions } from '../../src/server/server.ts';
import { type DemoCall, type DemoOptions, type DemoService, startDemoService } from './rest-service.mjs';

const { tokens, application, clientCredentialsApplication } = demoCredentials;

export const BEARER = { authorization: `Bearer ${tokens.companyA}` };
export const OTHER_BEARER = { authorization: `Bearer ${tokens.companyB}` };
export const BASIC = { authorization: basicAuthorization(application.clientId, application.clientSecret) };
export const EXPLAIN = { 'x-explain': 'true' };
export const BOTH = { ...BEARER, 'x-client-authorization': BASIC.authorization };

/** The larger administration of company A, its smaller one, and the one of company B. */
export const ADMINISTRATION = '1001';
export const SMALL_ADMINISTRATION = '1002';
export const FOREIGN_ADMINISTRATION = '2001';

export interface QueryResult<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: Data;
  readonly errors?: readonly AnswerError[];
  readonly extensions: { readonly cost?: object; readonly explain?: readonly object[] };
}

export interface AnswerError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly [name: string]: unknown };
}

export interface TestOptions {
  readonly rest?: DemoOptions;
  /** A REST service that several gateways stand over; by default each has its own. */
  readonly over?: DemoService;
  readonly gateway?: Partial<GatewayOptions & HostOptions>;
  /** Sends no application of the gateway's own. */
  readonly withoutApplication?: boolean;
  /** Closes the gateway and its server. */
  readonly handler?: Partial<Pick<GatewayOptions, 'corsOrigins' | 'maxOperations'>> &
    HostOptions &
    Partial<Pick<GatewayOptions, 'log'>> &
    Partial<Pick<HttpServerOptions, 'compression' | 'routes'>>;
  readonly listen?: Partial<HttpServerOptions>;
}

/** Sends most requests of the tests: `fetch` takes longer, and requests compression. */
const agent = new Agent();

type RequestHeaders = Readonly<Record<string, string>>;

export interface TestGateway {
  readonly url: string;
  readonly rest: DemoService;
  getLimitKey(headers: RequestHeaders, address: string): string;
  query<Data = unknown>(
    document: string,
    variables?: object,
    headers?: RequestHeaders,
  ): Promise<QueryResult<Data>>;
  post(body: string, headers?: RequestHeaders): Promise<Response>;
  calls(): BriefCall[];
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Posts an operation, or its document, as company A or as the headers say. */
export function postTo(
  url: string | URL,
  operation: string | object,
  headers: object = {},
  { signal = null }: Pick<RequestInit, 'signal'> = {},
): Promise<Response> {
  const body = JSON.stringify(typeof operation === 'string' ? { query: operation } : operation);
  const all = { 'content-type': 'application/json', ...BEARER, ...headers };
  return fetch(url, { method: 'POST', headers: all, body, signal });
}

/** Tokens that the service has just made for company A: as many callers as a test needs. */
export function issueTokens(
  { url, calls }: DemoService,
  count: number,
): Promise<readonly { readonly authorization: string }[]> {
  const { clientId, clientSecret } = clientCredentialsApplication;
  const issue = async () => {
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: basicAuthorization(clientId, clientSecret),
      },
      body: JSON.stringify({ grant_type: 'client_credentials' }),
    });
    const { access_token } = await response.json();
    return { authorization: `Bearer ${access_token}` };
  };
  return Promise.all(Array.from({ length: count }, issue)).finally(() => calls.splice(0));
}

export interface BriefCall {
  readonly call: string;
  readonly only?: unknown;
  readonly [parameter: string]: unknown;
}

/** A gateway over an embedded REST service for the tests of one file; each test starts with an empty log. */
export async function useGateway(options: TestOptions = {}): Promise<TestGateway> {
  const gateway = await startGateway(options);
  afterAll(() => gateway.close());
  beforeEach(() => {
    gateway.rest.behave();
    gateway.rest.calls.length = 0;
  });
  return gateway;
}

/** A gateway for one test alone: budgets and circuit breakers remember what went before. */
export async function freshGateway(options: TestOptions = {}): Promise<TestGateway> {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

export async function startGateway(options: TestOptions = {}): Promise<TestGateway> {
  const rest = options.over ?? (await startDemoService(options.rest));
  // Generate now, so that this takes no time from a deadline of a test.
  void rest.data.debtors;
  // The cache is off, so that a test sees every call of an operation.
  const config = readConfig({ CACHE_TTL_MS: '0' }, []);
  const { routes = [], telemetry, log = () => {}, compression = new Compression() } = options.handler ?? {};
  const gateway = createGateway(
    {
      ...config,
      restUrl: new URL(rest.url),
      ...(!options.withoutApplication && { application }),
      log,
      ...options.handler,
      ...options.gateway,
    },
    {
      ...(telemetry && { telemetry }),
      ...options.gateway,
    },
  );
  const server = createHttpServer(gateway, {
    compression,
    routes: [createProbes(() => gateway.readiness(), 'REST_URL'), ...routes],
    ...options.listen,
  });
  const { port } = await server.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}/graphql`;

  const post: TestGateway['post'] = (body, headers = {}) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

  async function query<Data>(
    document: string,
    variables?: object,
    headers: RequestHeaders = BEARER,
  ): Promise<QueryResult<Data>> {
    const response = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: '*/*', ...headers },
      body: JSON.stringify({ query: document, variables }),
    });
    const text = await response.body.text();
    return {
      extensions: {},
      ...JSON.parse(text),
      text,
      status: response.statusCode,
      headers: new Headers(response.headers as Record<string, string>),
    };
  }

  return {
    url,
    rest,
    getLimitKey: (headers, address) => gateway.state.getLimitKey(readCredentials(headers), address),
    query,
    post,
    calls: () => rest.calls.map(brief),
    drain() {
      gateway.state.endSubscriptions(0);
      return server.drain(10_000);
    },
    async close() {
      gateway.state.endSubscriptions(0);
      await server.drain(0);
      await gateway.dispose();
      if (options.over === undefined) await rest.close();
    },
  };
}

function brief({ method, path, query, fields, body }: DemoCall): BriefCall {
  const { fields: _text, ...parameters } = query;
  const only = typeof fields === 'object' && fields !== null && 'only' in fields ? fields.only : undefined;
  return {
    call: `${method} ${path}`,
    ...parameters,
    ...(only !== undefined && { only }),
    ...(body !== undefined && { body }),
  };
}
