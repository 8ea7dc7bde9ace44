import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { createSchemaText } from '../../src/pages/static-page.ts';
import { schema } from '../../src/schema/index.ts';
import type { Running } from '../../src/server/serve.ts';
import { readPage } from '../docs/pages.ts';
import { useGateway } from '../support/gateway.ts';
import { serveBuilt } from '../support/serve.ts';

const ORIGIN = 'https://app.example';
const gateway = await useGateway({
  handler: { corsOrigins: [ORIGIN], routes: [createSchemaText(schema)] },
});
const SCHEMA = new URL('/schema.graphql', gateway.url);

function preflight(url: string | URL, origin = ORIGIN, method = 'POST', names = 'traceparent,authorization') {
  const headers = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': names,
  };
  return fetch(url, { method: 'OPTIONS', headers });
}

const headersOf = ({ headers }: Response) => ({
  origin: headers.get('access-control-allow-origin'),
  allowed: headers.get('access-control-allow-headers'),
  vary: headers.get('vary'),
});

describe('a page of a listed origin', () => {
  test('may send what its libraries add, to GraphQL and for the schema', async () => {
    for (const url of [gateway.url, SCHEMA, new URL('/schema/apollo.js', SCHEMA)]) {
      const response = await preflight(url);
      expect(response.status).toBe(204);
      expect(headersOf(response)).toEqual({
        origin: ORIGIN,
        allowed: 'traceparent, authorization',
        vary: 'Origin, Access-Control-Request-Headers',
      });
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    }
  });

  test('may read the schema, and whether it has changed', async () => {
    const response = await fetch(SCHEMA, { headers: { origin: ORIGIN } });
    expect(headersOf(response)).toMatchObject({ origin: ORIGIN, vary: expect.stringContaining('Origin') });
    expect(await response.text()).toContain('type Query');
    const etag = response.headers.get('etag') ?? '';
    const known = await fetch(SCHEMA, { headers: { origin: ORIGIN, 'if-none-match': etag } });
    expect(known.status).toBe(304);
    expect(headersOf(known)).toMatchObject({ origin: ORIGIN, vary: expect.stringContaining('Origin') });
    expect(known.headers.get('access-control-expose-headers')).toContain('ETag');
  });

  test('may read the headers that the documentation names', async () => {
    const response = await fetch(SCHEMA, { headers: { origin: ORIGIN } });
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ') ?? [];
    expect(exposed).toContain('Last-Event-ID');
    const [, named = ''] = /It may read\s([^.]+)\./.exec(readPage('docs/settings.md')) ?? [];
    expect(Array.from(named.matchAll(/`([^`]+)`/g), ([, name]) => name)).toEqual(exposed);
  });
});

describe('a page of another origin', () => {
  test.each([
    'https://evil.example',
    'https://app.example.evil',
    'http://app.example',
    'https://app.example:8443',
    'null',
    '',
  ])('is told nothing: %j', async (origin) => {
    const answers = [
      await preflight(gateway.url, origin),
      await preflight(SCHEMA, origin),
      await gateway.post('{"query":"{ __typename }"}', { origin }),
      await fetch(SCHEMA, { headers: { origin } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200, 200]);
    for (const answer of answers) {
      expect(headersOf(answer)).toMatchObject({ origin: null, allowed: null });
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });
});

describe('whatever a page may read, no cache gives to a page of another origin', () => {
  let running: Running;
  beforeAll(async () => {
    const env = { PORT: '0', SHUTDOWN_GRACE_MS: '0', CORS_ORIGINS: ORIGIN };
    running = await serveBuilt(readConfig(env, []));
  });
  afterAll(() => running.stop());

  const HTML = { accept: 'text/html' };
  test.each<[string, string, Record<string, string>, boolean]>([
    ['GET', '/graphql', HTML, true],
    ['HEAD', '/graphql', HTML, true],
    ['GET', '/graphql?query={__typename}', {}, true],
    ['GET', '/graphql', {}, true],
    ['POST', '/graphql', {}, true],
    ['PUT', '/graphql', {}, true],
    ['OPTIONS', '/graphql', {}, true],
    ['GET', '/schema.graphql', {}, true],
    ['GET', '/schema.graphql', { 'if-none-match': '*' }, true],
    ['POST', '/schema.graphql', {}, true],
    ['GET', '/', HTML, false],
    ['GET', '/docs', HTML, false],
    ['GET', '/status', {}, false],
    ['GET', '/metrics', {}, false],
    ['GET', '/health', {}, false],
    ['GET', '/nothing', {}, false],
  ])('%s %s with %j', async (method, path, headers, isShared) => {
    const url = new URL(path, running.url);
    for (const origin of [ORIGIN, 'https://evil.example', undefined]) {
      const response = await fetch(url, { method, headers: { ...headers, ...(origin && { origin }) } });
      const { origin: allowed, vary } = headersOf(response);
      expect(allowed).toBe(isShared && origin === ORIGIN ? ORIGIN : null);
      if (isShared) expect(vary?.split(', ')).toContain('Origin');
    }
  });
});
