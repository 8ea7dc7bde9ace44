import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { allowedHeadersFor } from '../../src/gateway/plugins/use-cors.ts';
import type { ReadResponse } from '../library/support.ts';
import { type FetchGateway, LIST, TYPENAME, useFetchGateway } from './support.ts';

const ORIGIN = 'https://app.example';
const OTHERS = [
  'https://evil.example',
  'https://app.example.evil',
  'http://app.example',
  'https://app.example:8443',
  'null',
  '',
];

/** Refuses every request, as soon as it comes. */
const useRefusal: Plugin = {
  onRequest: ({ endResponse, fetchAPI }) => endResponse(new fetchAPI.Response('no', { status: 403 })),
};
const gateway = await useFetchGateway({ corsOrigins: [ORIGIN] });
const full = await useFetchGateway({ corsOrigins: [ORIGIN], maxOperations: 0 });
const refusing = await useFetchGateway({ corsOrigins: [ORIGIN], plugins: [useRefusal] });
const closed = await useFetchGateway();

const KNOWN =
  'Authorization, Cache-Control, Content-Type, Last-Event-ID, X-Client-Authorization, X-Explain, X-Request-Id';

describe('the headers that a preflight allows', () => {
  test.each([
    ['authorization,content-type', 'authorization, content-type'],
    [
      'apollographql-client-name, apollographql-client-version',
      'apollographql-client-name, apollographql-client-version',
    ],
    ['baggage , sentry-trace,traceparent', 'baggage, sentry-trace, traceparent'],
    ["x!#$%&'*+.^_`|~-1", "x!#$%&'*+.^_`|~-1"],
    [undefined, KNOWN],
    ['', KNOWN],
    ['a,,b', KNOWN],
    ['a b', KNOWN],
    ['a\r\nSet-Cookie: x', KNOWN],
    ['a: b', KNOWN],
    ['<script>', KNOWN],
    ['é', KNOWN],
    ['x'.repeat(1_000), 'x'.repeat(1_000)],
    ['x'.repeat(1_001), KNOWN],
  ])('for %j', (requested, allowed) => {
    expect(allowedHeadersFor(requested ?? '').join(', ')).toBe(allowed);
  });
});

function preflight({ fetch }: FetchGateway, origin = ORIGIN, url?: string) {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'traceparent,authorization',
  };
  return fetch({ method: 'OPTIONS', headers }, url);
}

const headersOf = ({ headers }: ReadResponse) => ({
  origin: headers.get('access-control-allow-origin'),
  allowed: headers.get('access-control-allow-headers'),
  credentials: headers.get('access-control-allow-credentials'),
  vary: headers.get('vary'),
});
const READABLE = {
  origin: ORIGIN,
  allowed: null,
  credentials: null,
  vary: 'Accept, Accept-Encoding, Origin',
};

describe('a page of a listed origin', () => {
  test('may send what its libraries add', async () => {
    const answer = await preflight(gateway);
    expect(answer.status).toBe(204);
    expect(headersOf(answer)).toEqual({
      origin: ORIGIN,
      allowed: 'traceparent, authorization',
      credentials: null,
      vary: 'Origin, Access-Control-Request-Headers',
    });
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });

  test('may read answers and refusals, which no cache mixes up, and never with cookies', async () => {
    const headers = { origin: ORIGIN };
    const answers = [
      await gateway.post({ query: TYPENAME }, headers),
      await gateway.post('{', headers),
      await gateway.get({ query: TYPENAME }, headers),
      await full.post({ query: LIST }, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 503]);
    for (const answer of answers) {
      expect(headersOf(answer)).toEqual(READABLE);
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    }
  });

  test('is told that its preflights are answered, where another method is refused', async () => {
    const refused = await gateway.fetch({ method: 'PUT', headers: { origin: ORIGIN } });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
    const unlisted = await gateway.fetch({ method: 'PUT' });
    expect([unlisted.status, unlisted.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  test('gets its preflight before anything is counted, or refused by a plugin', async () => {
    for (const each of [full, refusing]) expect((await preflight(each)).status).toBe(204);
  });

  test('may read what a plugin refuses it with', async () => {
    const answer = await refusing.post({ query: LIST }, { origin: ORIGIN });
    expect(answer.status).toBe(403);
    expect(headersOf(answer)).toMatchObject({ origin: ORIGIN, vary: 'Origin' });
  });

  test('may read nothing at other paths', async () => {
    for (const path of ['/', '/nothing', '/status', '/graphql/x']) {
      const url = `http://localhost${path}`;
      const answers = [
        await preflight(gateway, ORIGIN, url),
        await gateway.fetch({ headers: { origin: ORIGIN } }, url),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(headersOf(answer)).toMatchObject({ origin: null, allowed: null });
      }
    }
  });
});

describe('a page of another origin', () => {
  test.each(OTHERS)('is told nothing: %j', async (origin) => {
    const answers = [
      await preflight(gateway, origin),
      await gateway.post({ query: TYPENAME }, { origin }),
      await gateway.post('{', { origin }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 200, 400]);
    for (const answer of answers) {
      expect(headersOf(answer)).toMatchObject({ origin: null, allowed: null });
      expect(answer.headers.get('vary')?.split(', ')).toContain('Origin');
    }
  });

  test('is told nothing at all where none is listed', async () => {
    const answer = await closed.post({ query: TYPENAME }, { origin: ORIGIN });
    expect(headersOf(answer)).toMatchObject({ origin: null, vary: 'Accept, Accept-Encoding' });
    const refused = await preflight(closed);
    expect(refused.status).toBe(403);
    expect(headersOf(refused)).toMatchObject({ origin: null, allowed: null });
    expect(refused.body.errors).toMatchObject([
      { message: expect.stringContaining('CORS_ORIGINS'), extensions: { code: 'FORBIDDEN' } },
    ]);
  });
});
