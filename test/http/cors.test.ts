import type { Plugin } from 'graphql-yoga';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { readPage } from '../docs/pages.ts';
import type { ReadResponse } from '../library/support.ts';
import { BEARER } from '../support/gateway.ts';
import { serveBuilt } from '../support/serve.ts';
import { type FetchGateway, LIST, TYPENAME, useFetchGateway } from './support/fetch-gateway.ts';

const ORIGIN = 'https://app.example';
const LOCAL = 'http://localhost:5173';
const OTHERS = ['https://app.example.evil', 'http://app.example', 'https://app.example:8443', 'null', ''];

/** Refuses every request, as soon as it comes. */
const useRefusal: Plugin = {
  onRequest: ({ endResponse, fetchAPI }) => endResponse(new fetchAPI.Response('no', { status: 403 })),
};
const useReplacement: Plugin = {
  onResponse: ({ setResponse, fetchAPI }) => setResponse(new fetchAPI.Response('replaced')),
};
const useFailure: Plugin = {
  onResponse() {
    throw new Error('a plugin that fails');
  },
};
const gateway = await useFetchGateway({ corsOrigins: [ORIGIN] });
const full = await useFetchGateway({ corsOrigins: [ORIGIN], maxOperations: 0 });
const refusing = await useFetchGateway({ corsOrigins: [ORIGIN], plugins: [useRefusal] });
const closed = await useFetchGateway();

const preflightOf = (origin: string, names = 'traceparent,authorization') => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': names },
});
const preflight = ({ fetch }: FetchGateway, origin = ORIGIN, names?: string) =>
  fetch(preflightOf(origin, names));

const headersOf = ({ headers }: Pick<ReadResponse, 'headers'>) => ({
  origin: headers.get('access-control-allow-origin'),
  allowed: headers.get('access-control-allow-headers'),
  credentials: headers.get('access-control-allow-credentials'),
});
const NOTHING = { origin: null, allowed: null };

describe('a page of a listed origin', () => {
  test.each(['authorization,content-type', 'baggage , sentry-trace,traceparent'])(
    'can send the headers that its libraries add: %j',
    async (requested) => {
      const answer = await preflight(gateway, ORIGIN, requested);
      expect(answer.status).toBe(204);
      expect(headersOf(answer)).toEqual({
        origin: ORIGIN,
        allowed: requested,
        credentials: null,
      });
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST');
    },
  );

  test('can read results and rejections, which are not cached, and never with cookies', async () => {
    const headers = { origin: ORIGIN };
    const answers = [
      await gateway.post({ query: TYPENAME }, headers),
      await gateway.post('{', headers),
      await gateway.get({ query: TYPENAME }, headers),
      await full.post({ query: LIST }, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 503]);
    const [, named = ''] = /It may read\s([^.]+)\./.exec(readPage('docs/settings.md')) ?? [];
    const documented = Array.from(named.matchAll(/`([^`]+)`/g), ([, name]) => name);
    expect(documented).toContain('X-Request-Id');
    for (const answer of answers) {
      expect(headersOf(answer)).toEqual({ origin: ORIGIN, allowed: null, credentials: null });
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toEqual(documented);
    }
  });

  test('gets a preflight response without a slot, and can read a rejection by a plugin', async () => {
    for (const each of [full, refusing]) expect((await preflight(each)).status).toBe(204);
    const answer = await refusing.post({ query: LIST }, { origin: ORIGIN });
    expect(answer.status).toBe(403);
    expect(headersOf(answer)).toMatchObject({ origin: ORIGIN });
  });

  test('can read a response that a plugin replaces, or whose plugin fails', async () => {
    for (const useOther of [useReplacement, useFailure]) {
      const { post } = await useFetchGateway({ corsOrigins: [ORIGIN], plugins: [useOther] });
      expect(headersOf(await post({ query: TYPENAME }, { origin: ORIGIN }))).toMatchObject({
        origin: ORIGIN,
      });
    }
  });
});

describe('a page of another origin', () => {
  test.each(OTHERS)('cannot read anything: %j', async (origin) => {
    const answers = [
      await preflight(gateway, origin),
      await gateway.post({ query: TYPENAME }, { origin }),
      await gateway.post('{', { origin }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 200, 400]);
    for (const answer of answers) expect(headersOf(answer)).toMatchObject(NOTHING);
  });

  test('cannot read anything if no origin is listed', async () => {
    const answer = await closed.post({ query: TYPENAME }, { origin: ORIGIN });
    expect(headersOf(answer)).toMatchObject(NOTHING);
    expect(headersOf(await preflight(closed))).toMatchObject(NOTHING);
  });
});

async function startServer(env: Record<string, string> = {}) {
  const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', LOG: 'off', ...env }, []);
  const { url, stop } = await serveBuilt(config);
  return {
    stop,
    origin: new URL(url).origin,
    ask: (path: string, init: RequestInit = {}) => fetch(new URL(path, url), init),
    post: (origin: string, query = TYPENAME, headers: Record<string, string> = {}, path = '/graphql') =>
      fetch(new URL(path, url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, ...headers },
        body: JSON.stringify({ query }),
      }),
  };
}

const embedded = await startServer();
afterAll(embedded.stop);
/** Nothing listens there, and nothing is called. */
const REAL = { REST_URL: 'http://127.0.0.1:9' };
const listed = await startServer({ ...REAL, CORS_ORIGINS: ORIGIN });
afterAll(listed.stop);

describe('a gateway over the embedded service without CORS_ORIGINS', () => {
  test.each([
    ['https://localhost', true],
    ['http://localhost:5173', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]:8080', true],
    ['http://localhost.evil.example', false],
    ['http://localhost@evil.example', false],
    ['null', false],
  ])('a page of %s can read responses: %s', async (origin, isAllowed) => {
    const answers = [await embedded.ask('/graphql', preflightOf(origin)), await embedded.post(origin)];
    expect(answers.map(({ status }) => status)).toEqual([204, 200]);
    for (const answer of answers)
      expect(headersOf(answer)).toMatchObject({ origin: isAllowed ? origin : null, credentials: null });
  });

  const CHANGES = 'subscription { changes(administrationId: "1001") { eventId } }';
  test.each<[string, () => Promise<Response>, number]>([
    ['an export', () => embedded.post(LOCAL, LIST, BEARER, '/graphql.csv'), 200],
    ['a stream', () => embedded.post(LOCAL, CHANGES, { ...BEARER, accept: 'text/event-stream' }), 200],
    ['a 413 response', () => embedded.post(LOCAL, 'x'.repeat(1_000_001)), 413],
    ['a 415 response', () => embedded.post(LOCAL, TYPENAME, { 'content-type': 'text/plain' }), 415],
  ])('a page of this machine can read %s', async (_what, ask, status) => {
    const response = await ask();
    await response.body?.cancel();
    expect([response.status, headersOf(response).origin]).toEqual([status, LOCAL]);
  });
});

test('a page of this machine can read nothing if REST_URL or CORS_ORIGINS is set', async () => {
  for (const env of [REAL, { CORS_ORIGINS: ORIGIN }]) {
    const { ask, post, stop } = await startServer(env);
    onTestFinished(stop);
    expect(headersOf(await ask('/graphql', preflightOf(LOCAL))).origin).toBeNull();
    expect(headersOf(await post(LOCAL)).origin).toBeNull();
  }
});

test.each(['/schema.graphql', '/schema/apollo.js'])('a page of any origin can read %s', async (path) => {
  for (const origin of [ORIGIN, 'https://evil.example']) {
    const response = await listed.ask(path, { headers: { origin } });
    expect([response.status, headersOf(response).origin]).toEqual([200, '*']);
  }
});

test.each(['/', '/docs', '/metrics', '/health'])('a page of another origin cannot read %s', async (path) => {
  const response = await listed.ask(path, { headers: { accept: 'text/html', origin: ORIGIN } });
  expect([response.status, headersOf(response).origin]).toEqual([200, null]);
});
