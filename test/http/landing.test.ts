import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/config/index.ts';
import { serveBuilt } from '../support/serve.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const REAL = { REST_URL: 'http://127.0.0.1:9' };

async function start(env: Record<string, string> = {}, trusted = false) {
  const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', ...env }, []);
  const trustedDocuments = new Map([['a'.repeat(64), '{ __typename }']]);
  const running = await serveBuilt({ ...config, ...(trusted && { trustedDocuments }) });
  return { ...running, main: new URL(running.url).origin, admin: `http://127.0.0.1:${running.adminPort}` };
}

async function startForTest(env?: Record<string, string>, trusted?: boolean) {
  const running = await start(env, trusted);
  onTestFinished(running.stop);
  return running;
}

function get(url: string, accept = BROWSER, method = 'GET'): Promise<Response> {
  return fetch(url, { method, headers: { accept } });
}

describe('GET /', async () => {
  const { main, url, stop } = await start(REAL);
  afterAll(stop);

  test('gives a browser a page, which allows itself nothing but its own style', async () => {
    const response = await get(main);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
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

  test.each(['*/*', 'text/plain', 'application/json', 'text/html;q=0.5, text/plain', ''])(
    'gives others the same as text: %j',
    async (accept) => {
      const response = await get(main, accept);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      const text = await response.text();
      expect(text).toMatch(`receivables-graphql ${packageJson.version}\n`);
      expect(text).toMatch(/^\/docs +Documentation: getting started/m);
      expect(text).toContain(`curl ${url} \\`);
      expect(text).toContain("'Authorization: Bearer <your access token>'");
      expect(text).not.toContain(REAL.REST_URL);
    },
  );

  test('names the address that it was asked under', async () => {
    const headers = { host: 'gateway.example', 'x-forwarded-proto': 'https' };
    const text = await new Promise<string>((resolve, reject) => {
      request({ port: new URL(main).port, host: '127.0.0.1', headers }, async (response) => {
        resolve(Buffer.concat(await response.toArray()).toString());
      })
        .on('error', reject)
        .end();
    });
    expect(text).toContain('curl https://gateway.example/graphql');
  });
});

test('over the embedded service the example works as it stands', async () => {
  const { main } = await startForTest();
  const text = await (await get(main, '*/*')).text();
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
  ['over the embedded service', {}, [...PUBLIC, '/metrics'], false],
  ['over a real service', REAL, [...PUBLIC, '/metrics'], false],
  ['without metrics', { METRICS: 'off' }, PUBLIC, false],
  ['with a port for operators', { ADMIN_PORT: '0' }, PUBLIC, false],
  ['with trusted documents', {}, [...PUBLIC, '/metrics'], true],
])('%s, the front page leads to what there is', async (_mode, env, expected, trusted) => {
  const { main } = await startForTest(env, trusted);
  const page = await (await get(main)).text();
  const links = Array.from(page.matchAll(/<a href="([^"]+)">/g), ([, path = '']) => path);
  expect(links).toEqual(expected);
  const answers = await Promise.all(links.map((path) => get(main + path)));
  // Without GraphiQL there is nothing to see at the endpoint, which a reader is told.
  const statusOf = (path: string) => (trusted && path === '/graphql' ? 400 : 200);
  expect(answers.map(({ status }) => status)).toEqual(links.map(statusOf));
});

test.each(['/nothing', '/status', '/<script>', `/${'a'.repeat(5_000)}`])(
  'at any other path there is a coded error, which says where to go: %s',
  async (path) => {
    const { main } = await startForTest({ ADMIN_PORT: '0' });
    const response = await get(main + path);
    expect([response.status, await response.json()]).toMatchObject([
      404,
      {
        errors: [
          {
            message:
              'GraphQL is served at /graphql, lists as files at /graphql.csv and /graphql.ndjson, the documentation at /docs.',
            extensions: { code: 'NOT_FOUND' },
          },
        ],
      },
    ]);
  },
);

test('the port for operators has probes and metrics, and says so', async () => {
  const { admin } = await startForTest({ ADMIN_PORT: '0' });
  for (const path of ['/health', '/ready', '/metrics']) expect((await get(admin + path)).status).toBe(200);
  const response = await get(`${admin}/nothing`);
  expect([response.status, await response.text()]).toMatchObject([404, expect.stringContaining('/metrics')]);
});

test('with trusted documents the endpoint says that GraphiQL is off, and still runs operations', async () => {
  const { main } = await startForTest({}, true);
  expect(await (await get(`${main}/graphql`)).json()).toMatchObject({
    errors: [{ message: expect.stringContaining('GraphiQL is off') }],
  });
  const run = await get(`${main}/graphql?documentId=${'a'.repeat(64)}`);
  expect(await run.json()).toMatchObject({ data: { __typename: 'Query' } });
});

test('another method than GET and HEAD is refused at each page', async () => {
  const { main } = await startForTest();
  for (const path of ['/', '/schema.graphql', '/docs', '/metrics', '/graphiql/assets/a.js']) {
    const response = await get(main + path, BROWSER, 'POST');
    expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] });
  }
  const head = await get(main, BROWSER, 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('whoever sends an operation to the front page is told where to send it', async () => {
  const { main } = await startForTest();
  const response = await fetch(main, { method: 'POST', body: '{}' });
  expect(await response.json()).toMatchObject({
    errors: [{ message: 'Use GET or HEAD. Send GraphQL operations to /graphql.' }],
  });
  const empty = await get(`${main}/graphql`, '*/*');
  expect(await empty.text()).toContain(
    '`query` is missing. Send the text of a GraphQL document, as a string. For GraphiQL',
  );
});
