import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ConfigError, readConfig } from '../../src/config/index.ts';
import { makeFolder } from '../support/resources.ts';
import { serveBuilt } from '../support/serve.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const REAL = { REST_URL: 'http://127.0.0.1:9' };

async function start(env: Record<string, string> = {}) {
  const running = await serveBuilt(readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', ...env }, []));
  return { ...running, main: new URL(running.url).origin, admin: `http://127.0.0.1:${running.adminPort}` };
}

const folder = makeFolder(afterAll);
function file(content: string): string {
  const path = join(mkdtempSync(join(folder, 'one-')), 'persisted-documents.json');
  writeFileSync(path, content);
  return path;
}
const HASH = 'a'.repeat(64);
const TRUSTED = { TRUSTED_DOCUMENTS: file(JSON.stringify({ [HASH]: '{ __typename }' })) };

const embedded = await start();
const real = await start(REAL);
const trusted = await start(TRUSTED);
const operated = await start({ ADMIN_PORT: '0' });
for (const { stop } of [embedded, real, trusted, operated]) afterAll(stop);

const get = (url: string, accept = BROWSER, method = 'GET') => fetch(url, { method, headers: { accept } });
const textOf = async (url: string, accept = BROWSER) => (await get(url, accept)).text();

describe('the front page', () => {
  test('is HTML for a browser, with a Content-Security-Policy for its own style and images', async () => {
    const response = await get(real.main);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
    ]).toEqual([200, 'text/html; charset=utf-8', 'no-store']);
    const page = await response.text();
    expect(page).toContain(`<h1>receivables-graphql ${packageJson.version}</h1>`);
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
    expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  test.each(['*/*', 'text/html;q=0.5, text/plain'])('is text for Accept: %j', async (accept) => {
    const response = await get(real.main, accept);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^\/docs +Documentation: getting started/m);
    expect(text).toContain(`curl ${real.url} \\`);
    expect(text).toContain("'Authorization: Bearer <your access token>'");
    expect(text).not.toContain(REAL.REST_URL);
  });

  test('contains the address of the request', async () => {
    const headers = { host: 'gateway.example', 'x-forwarded-proto': 'https' };
    const { port } = new URL(real.main);
    const text = await new Promise<string>((resolve, reject) => {
      request({ port, host: '127.0.0.1', headers }, async (response) =>
        resolve(Buffer.concat(await response.toArray()).toString()),
      )
        .on('error', reject)
        .end();
    });
    expect(text).toContain('curl https://gateway.example/graphql');
  });

  test('has an example that works with the embedded service', async () => {
    const text = await textOf(embedded.main, '*/*');
    const [, address = ''] = /^curl (\S+)/m.exec(text) ?? [];
    const [, body = ''] = /-d '(.*)'/.exec(text) ?? [];
    const headers = Object.fromEntries(
      Array.from(text.matchAll(/-H '([^:]+): ([^']+)'/g), ([, name = '', value = '']) => [name, value]),
    );
    const response = await fetch(address, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ data: { debtors: { nodes: { length: 3 } } } });
  });

  const SCHEMA = ['/schema.graphql', '/schema/apollo.js', '/schema/graphcache.js'];
  const PUBLIC = ['/graphql', '/docs', ...SCHEMA, '/health', '/ready'];
  test.each([
    ['over the embedded service', embedded, [...PUBLIC, '/metrics']],
    ['over a real service', real, [...PUBLIC, '/metrics']],
    ['with a port for operators', operated, PUBLIC],
    ['with trusted documents', trusted, [...PUBLIC, '/metrics']],
  ])('links only pages that exist %s', async (_mode, { main }, expected) => {
    const page = await textOf(main);
    const links = Array.from(page.matchAll(/<a href="([^"]+)">/g), ([, path = '']) => path);
    expect(links).toEqual(expected);
    for (const path of links) {
      // Without GraphiQL, the page says that the endpoint shows nothing.
      const status = main === trusted.main && path === '/graphql' ? 400 : 200;
      expect([path, (await get(main + path)).status]).toEqual([path, status]);
    }
  });

  test('names the endpoint if it gets a POST', async () => {
    const response = await fetch(embedded.main, { method: 'POST', body: '{}' });
    expect(await response.json()).toMatchObject({
      errors: [{ message: 'Use GET or HEAD. Send GraphQL operations to /graphql.' }],
    });
    expect(await textOf(embedded.url, '*/*')).toContain(
      '`query` is missing. Send the text of a GraphQL document, as a string.',
    );
  });
});

test.each(['/<script>', `/${'a'.repeat(5_000)}`])('other paths name the pages: %#', async (path) => {
  const response = await get(operated.main + path);
  expect(response.status).toBe(404);
  const message =
    'GraphQL is served at /graphql, lists as files at /graphql.csv and /graphql.ndjson (Excel reads CSV), the documentation at /docs.';
  expect(await response.json()).toMatchObject({ errors: [{ message, extensions: { code: 'NOT_FOUND' } }] });
});

test('ADMIN_PORT serves probes and metrics, and names them at other paths', async () => {
  for (const path of ['/health', '/ready', '/metrics'])
    expect((await get(operated.admin + path)).status).toBe(200);
  const response = await get(`${operated.admin}/graphql`);
  expect([response.status, await response.text()]).toMatchObject([404, expect.stringContaining('/metrics')]);
});

test('each page rejects methods other than GET and HEAD', async () => {
  for (const path of ['/', '/schema.graphql', '/docs', '/metrics', '/graphiql/assets/a.js']) {
    const response = await get(embedded.main + path, BROWSER, 'POST');
    expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] });
  }
  const head = await get(embedded.main, BROWSER, 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('/schema.graphql serves the schema of the repository, or 304 for its ETag', async () => {
  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${real.main}/schema.graphql`, { method, headers: { 'accept-encoding': 'identity', ...headers } });
  const text = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const response = await ask();
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-cache',
    'content-length': String(Buffer.byteLength(text)),
  });
  expect(await response.text()).toBe(text);
  const etag = response.headers.get('etag') ?? '';
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await ask({ 'if-none-match': known });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
  }
  expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
  expect(await (await ask({}, 'HEAD')).text()).toBe('');
});

describe('with trusted documents,', () => {
  test('front page and endpoint say that GraphiQL is off, and the documents run by hash', async () => {
    const page = await textOf(trusted.main);
    expect(page).toContain('GraphiQL is off: this gateway runs only trusted documents');
    expect(page).toContain('{"documentId":"&lt;hash of a document>"}');
    expect(await (await get(trusted.url)).json()).toMatchObject({
      errors: [{ message: expect.stringContaining('GraphiQL is off') }],
    });
    const run = await get(`${trusted.url}?documentId=${HASH}`);
    expect(await run.json()).toMatchObject({ data: { __typename: 'Query' } });
    expect(await (await get(`${trusted.url}?query={__typename}`)).text()).toContain(
      'TRUSTED_DOCUMENT_REQUIRED',
    );
  });

  test.each([
    ['a missing file', () => join(folder, 'missing.json'), ['takes the path of a file that can be read']],
    ['invalid JSON', () => file('{'), ['documents by their hashes']],
    ['a file without documents', () => file('{}'), ['documents by their hashes']],
    ['a document that is not a string', () => file('{"a1":5}'), ['documents by their hashes']],
    [
      'invalid documents',
      () =>
        file(
          JSON.stringify({
            [HASH]: '{ __typename }',
            a1: '{ nonsense }',
            b2: '{ viewer {',
            c3: `{ ${'viewer { '.repeat(30)} clientId ${'}'.repeat(30)} }`,
          }),
        ),
      [
        'the document a1: Cannot query field "nonsense" on type "Query".',
        'the document b2: Syntax Error',
        'the document c3: The document has more than 20 levels',
      ],
    ],
  ])('the gateway does not start with %s, and names each error', async (_what, path, faults) => {
    const started = start({ TRUSTED_DOCUMENTS: path() });
    onTestFinished(() => started.then(({ stop }) => stop()).catch(() => {}));
    const error = await started.catch((reason) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message.split('\n').slice(1)).toEqual(faults.map((fault) => expect.stringContaining(fault)));
  });
});
