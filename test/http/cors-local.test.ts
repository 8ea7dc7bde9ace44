import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { serve } from '../../src/server/serve.ts';
import { BEARER } from '../support/gateway.ts';
import { startDemoService } from '../support/rest-service.mjs';

const dist = new URL('../../dist/', import.meta.url);
const BUILDS = {
  graphiql: new URL('graphiql/', dist),
  docs: new URL('docs/', dist),
  clients: new URL('clients/', dist),
};

/** The whole server, and what it has logged. */
async function startServer(env: Record<string, string> = {}) {
  const stream = new PassThrough();
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', LOG: 'errors', ...env }, []);
  const running = await serve({ ...config, embeddedChangesMs: 0 }, BUILDS, { stream });
  const at = (path: string) => new URL(path, running.url);
  const lines = () => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return {
    url: running.url,
    stop: () => running.stop(),
    at,
    refused: () =>
      lines().flatMap(({ message, origin }) => (/^CORS/.test(message) ? [{ message, origin }] : [])),
  };
}

async function startForTest(env: Record<string, string>) {
  const server = await startServer(env);
  onTestFinished(() => server.stop());
  return server;
}

function preflight(url: string | URL, origin: string) {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  };
  return fetch(url, { method: 'OPTIONS', headers });
}

function post(url: string | URL, headers: Record<string, string>, query = '{ __typename }') {
  const body = JSON.stringify({ query });
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}

const allowedOrigin = ({ headers }: Response) => headers.get('access-control-allow-origin');

describe('over the embedded service, without CORS_ORIGINS', async () => {
  const shared = await startServer();
  afterAll(() => shared.stop());

  test.each([
    ['http://localhost', true],
    ['https://localhost', true],
    ['http://localhost:5173', true],
    ['https://localhost:3000', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]:8080', true],
    ['http://localhost.evil.example', false],
    ['http://evil.example', false],
    ['http://evil-localhost:3000', false],
    ['http://localhost:3000.evil.example', false],
    ['http://localhost:3000/', false],
    ['http://localhost@evil.example', false],
    ['http://127.0.0.1.evil.example', false],
    ['http://192.168.1.20:3000', false],
    ['file://localhost', false],
    ['null', false],
  ])('a page of %s may read answers: %s', async (origin, isAllowed) => {
    const { url } = shared;
    const asked = await preflight(url, origin);
    const answered = await post(url, { origin });
    expect([asked.status, answered.status]).toEqual([isAllowed ? 204 : 403, 200]);
    for (const response of [asked, answered]) {
      expect(allowedOrigin(response)).toBe(isAllowed ? origin : null);
      expect(response.headers.get('vary')).toContain('Origin');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  const LIST = '{ debtors(administrationId: "1001", first: 1) { nodes { id } } }';
  const CHANGES = 'subscription { changes(administrationId: "1001") { eventId } }';
  test.each<[string, (origin: string) => Promise<Response>, number]>([
    ['an answer', async (origin) => post(shared.url, { origin, ...BEARER }, LIST), 200],
    ['an export', async (origin) => post(shared.at('/graphql.csv'), { origin, ...BEARER }, LIST), 200],
    [
      'a stream',
      async (origin) => post(shared.url, { origin, ...BEARER, accept: 'text/event-stream' }, CHANGES),
      200,
    ],
    ['an invalid document', async (origin) => post(shared.url, { origin }, '{ nothing }'), 200],
    ['too large a body', async (origin) => post(shared.url, { origin }, 'x'.repeat(1_000_001)), 413],
    [
      'a wrong content type',
      async (origin) => post(shared.url, { origin, 'content-type': 'text/plain' }),
      415,
    ],
    ['the schema', async (origin) => fetch(shared.at('/schema.graphql'), { headers: { origin } }), 200],
  ])('a page of this machine can read %s', async (_what, ask, status) => {
    const origin = 'http://localhost:5173';
    const response = await ask(origin);
    await response.body?.cancel();
    expect(response.status).toBe(status);
    expect(allowedOrigin(response)).toBe(origin);
  });

  test('a page of this machine can read no other page', async () => {
    for (const path of ['/', '/docs', '/status', '/metrics', '/ready', '/nothing']) {
      const response = await fetch(shared.at(path), { headers: { origin: 'http://localhost:5173' } });
      expect(allowedOrigin(response)).toBeNull();
    }
  });

  test('so it is with trusted documents', async () => {
    const query = '{ __typename }';
    const hash = createHash('sha256').update(query).digest('hex');
    const directory = mkdtempSync(join(tmpdir(), 'cors-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const file = join(directory, 'documents.json');
    writeFileSync(file, JSON.stringify({ [hash]: query }));
    const { url } = await startForTest({ TRUSTED_DOCUMENTS: file });
    const headers = { origin: 'http://localhost:5173', 'content-type': 'application/json' };
    const known = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ documentId: hash }) });
    expect(await known.json()).toMatchObject({ data: { __typename: 'Query' } });
    for (const response of [known, await post(url, headers), await preflight(url, headers.origin)])
      expect(allowedOrigin(response)).toBe(headers.origin);
  });
});

test('with CORS_ORIGINS, only these may read answers, over the embedded service too', async () => {
  const { url } = await startForTest({ CORS_ORIGINS: 'https://app.example' });
  expect(allowedOrigin(await preflight(url, 'https://app.example'))).toBe('https://app.example');
  expect(allowedOrigin(await preflight(url, 'http://localhost:5173'))).toBeNull();
});

describe('over a real service', () => {
  async function startOverReal(env = {}) {
    const rest = await startDemoService();
    onTestFinished(() => rest.close());
    return startForTest({ REST_URL: rest.url, ...env });
  }

  test('a page of this machine is told nothing without CORS_ORIGINS', async () => {
    const { url } = await startOverReal();
    expect((await preflight(url, 'http://localhost:5173')).status).toBe(403);
    expect(allowedOrigin(await post(url, { origin: 'http://localhost:5173' }))).toBeNull();
  });

  test('the log names each origin that is refused once, and the setting', async () => {
    const { url, at, refused } = await startOverReal({ CORS_ORIGINS: 'https://listed.example' });
    for (let times = 0; times < 3; times += 1) {
      await preflight(url, 'https://app.example');
      await post(url, { origin: 'https://app.example' });
    }
    await post(at('/graphql.csv'), { origin: 'https://reports.example' });
    await fetch(at('/schema.graphql'), { headers: { origin: 'https://tools.example' } });
    await preflight(url, 'null');
    const [can, cannot] = ['add it to CORS_ORIGINS', 'CORS_ORIGINS takes only http and https origins'].map(
      (what) => expect.stringContaining(what),
    );
    expect(refused()).toEqual([
      { origin: 'https://app.example', message: can },
      { origin: 'https://reports.example', message: can },
      { origin: 'https://tools.example', message: can },
      { origin: 'null', message: cannot },
    ]);
  });

  test('the log names none that is allowed, that is the gateway itself, or that asks for a page', async () => {
    const { url, at, refused } = await startOverReal({ CORS_ORIGINS: 'https://listed.example' });
    const { origin } = new URL(url);
    await preflight(url, 'https://listed.example');
    await post(url, { origin: 'https://listed.example' });
    await post(url, {});
    // GraphiQL, also behind a proxy that speaks TLS or gives another `Host`.
    await post(url, { origin });
    await post(url, { origin: origin.replace('http:', 'https:') });
    await post(url, { origin: 'https://gateway.example', 'sec-fetch-site': 'same-origin' });
    for (const path of ['/', '/docs', '/nothing'])
      await fetch(at(path), { headers: { origin: 'https://app.example' } });
    expect(refused()).toEqual([]);
    // The host is the same, and the browser says that the scheme is not.
    await post(url, { origin, 'sec-fetch-site': 'cross-site' });
    expect(refused()).toHaveLength(1);
  });
});
