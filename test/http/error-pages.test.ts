import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { serveBuilt } from '../support/serve.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const TRUSTED = '{ __typename }';

async function start(env: Record<string, string> = {}, trusted = false) {
  const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', ...env }, []);
  const trustedDocuments = new Map([['a'.repeat(64), TRUSTED]]);
  const running = await serveBuilt({ ...config, ...(trusted && { trustedDocuments }) });
  onTestFinished(running.stop);
  const admin = `http://127.0.0.1:${running.adminPort}`;
  return { main: new URL('/', running.url).href.slice(0, -1), admin };
}

function get(url: string, accept = BROWSER, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers: { accept, ...headers } });
}

/** The paths that a page links to. */
async function linksIn(response: Response): Promise<string[]> {
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return Array.from((await response.text()).matchAll(/<a href="([^"]+)">/g), ([, path = '']) => path);
}

const SCHEMA = ['/schema.graphql', '/schema/apollo.js', '/schema/graphcache.js'];
const PUBLIC = ['/', '/graphql', '/docs', ...SCHEMA, '/health', '/ready'];
const OPERATORS = ['/health', '/ready', '/status', '/metrics'];
const REAL = { REST_URL: 'http://127.0.0.1:9' };

test.each([
  ['over the embedded service', {}, [...PUBLIC, '/status', '/metrics']],
  ['over a real service', REAL, [...PUBLIC, '/status', '/metrics']],
  ['without metrics', { METRICS: 'off' }, PUBLIC],
  ['with a port for operators', { ADMIN_PORT: '0' }, [...PUBLIC, '/status']],
  ['with trusted documents', {}, [...PUBLIC, '/status', '/metrics'], true],
])('%s, an unknown path leads a reader to what there is, and others get JSON', async (...mode) => {
  const [, env, expected, trusted] = mode;
  const { main } = await start(env, trusted);
  const page = await get(`${main}/nothing`);
  expect(page.status).toBe(404);
  const links = await linksIn(page);
  expect(links).toEqual(expected);
  const answers = await Promise.all(links.map((path) => get(main + path)));
  expect(answers.map(({ status }) => status)).toEqual(links.map((path) => statusOf(path, trusted)));
  const json = await get(`${main}/nothing`, '*/*');
  expect(json.status).toBe(404);
  expect(await json.json()).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
});

/** Without GraphiQL there is nothing to see at the endpoint, which a reader is told. */
function statusOf(path: string, trusted = false): number {
  return trusted && path === '/graphql' ? 400 : 200;
}

test.each([
  [{ ADMIN_PORT: '0' }, OPERATORS],
  [{ ADMIN_PORT: '0', METRICS: 'off' }, ['/health', '/ready']],
])('so does the port for operators, with %j', async (env, expected) => {
  const { admin } = await start(env);
  const page = await get(`${admin}/nothing`);
  expect(page.status).toBe(404);
  const links = await linksIn(page);
  expect(links.toSorted()).toEqual(expected.toSorted());
  for (const path of links) expect((await get(admin + path)).status).toBe(200);
  const text = await get(`${admin}/nothing`, '*/*');
  expect([text.status, text.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
});

test('who may not see the status cannot tell that there is one', async () => {
  const { main } = await start({ ADMIN_PORT: '0' });
  const pageAt = async (path: string, method = 'GET') => {
    const headers = { accept: BROWSER, 'x-forwarded-for': '192.0.2.1' };
    const response = await fetch(main + path, { method, headers });
    return [response.status, (await response.text()).replaceAll(path, '')];
  };
  const unknown = await pageAt('/nothing');
  expect(unknown[1]).not.toContain('/status');
  expect(await pageAt('/status')).toEqual(unknown);
  expect(await pageAt('/status', 'POST')).toEqual(unknown);
});

test('with trusted documents the endpoint says that GraphiQL is off, and still runs operations', async () => {
  const { main } = await start({}, true);
  const page = await get(`${main}/graphql`);
  const text = await page.text();
  expect(text).toContain('GraphiQL is off');
  expect(text).toContain('<h1>Only trusted documents</h1>');
  expect(text).not.toContain('href="/graphql"');
  const run = await get(`${main}/graphql?documentId=${'a'.repeat(64)}`);
  expect(run.headers.get('content-type')).toContain('json');
  expect((await get(`${main}/graphql`, '*/*')).headers.get('content-type')).toContain('json');
});

test('another method than GET and HEAD is refused at each page, as a page and as JSON', async () => {
  const { main } = await start();
  for (const path of ['/', '/schema.graphql', '/docs', '/status', '/metrics', '/graphiql/assets/a.js']) {
    const send = (accept: string) => fetch(main + path, { method: 'POST', headers: { accept } });
    const page = await send(BROWSER);
    expect([path, page.status, page.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    expect(await page.text()).toContain('<h1>Method not allowed</h1>');
    const json = await send('application/json');
    expect([path, json.status, json.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    expect(await json.json()).toMatchObject({ errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] });
  }
});

test('whoever sends an operation to the front page is told where to send it', async () => {
  const { main } = await start();
  const response = await fetch(main, { method: 'POST', body: '{}' });
  expect([response.status, await response.json()]).toMatchObject([
    405,
    { errors: [{ message: 'Use GET or HEAD. Send GraphQL operations to /graphql.' }] },
  ]);
  const empty = await get(`${main}/graphql`, '*/*');
  expect(await empty.text()).toContain(
    '`query` is missing. Send the text of a GraphQL document, as a string. For GraphiQL',
  );
});

test('on the port for operators too', async () => {
  const { admin } = await start({ ADMIN_PORT: '0' });
  for (const path of ['/status', '/metrics']) {
    const response = await fetch(admin + path, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await response.text()).toBe('Use GET or HEAD.\n');
  }
});

test('the page shows the path as text, as far as it is short, and allows itself nothing but its style', async () => {
  const { main } = await start();
  const send = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const { port } = new URL(main);
      const sent = request(
        { port, host: '127.0.0.1', path, headers: { accept: BROWSER } },
        async (response) => {
          expect(response.headers['content-security-policy']).toMatch(
            /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri/,
          );
          resolve(Buffer.concat(await response.toArray()).toString());
        },
      );
      sent.on('error', reject).end();
    });
  const page = await send('/<script>"&amp;');
  expect(page).toContain('There is nothing at <code>/&lt;script&gt;&quot;&amp;amp;</code>.');
  expect(page).toContain(
    'GraphQL is served at <code>/graphql</code>, the documentation at <code>/docs</code>.',
  );
  expect(page).not.toContain('<script');
  expect((await send(`/${'a'.repeat(5_000)}`)).length - page.length).toBeLessThan(200);
});
