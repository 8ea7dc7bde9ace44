import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  request as send,
} from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGraphiql, type GraphiqlSettings } from '../../src/pages/graphiql.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const SCRIPT = 'console.log("a script");'.repeat(100);
const folder = mkdtempSync(join(tmpdir(), 'graphiql-'));
const settings: GraphiqlSettings = {
  endpoint: '/graphql',
  credentials: { token: '$& </script><script>alert(1)</script>', clientId: '', clientSecret: '' },
  administrationId: '',
  tabs: [{ query: '{ viewer { clientId } }', variables: null }],
};

beforeAll(() => {
  mkdirSync(join(folder, 'built'), { recursive: true });
  writeFileSync(join(folder, 'secret.js'), 'secret');
  writeFileSync(join(folder, 'built/index.html'), '<title>page</title><!--settings-->');
  for (const name of ['main.js', 'main.css']) writeFileSync(join(folder, 'built', name), SCRIPT);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the page', () => {
  const get = serve('built/');

  test('goes to a browser that opens the endpoint', async () => {
    const { status, headers, text } = await get('/graphql', { accept: BROWSER });
    expect(status).toBe(200);
    expect(text).toContain('<title>page</title>');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-cache',
      vary: 'Accept, Accept-Encoding',
    });
  });

  test('answers HEAD with the headers alone', async () => {
    const { status, headers, text } = await get('/graphql', { accept: BROWSER }, 'HEAD');
    expect(status).toBe(200);
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
    expect(text).toBe('');
  });

  test('allows nothing but its own origin, and no inline script', async () => {
    const { headers } = await get('/graphql', { accept: BROWSER });
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
    );
    expect(policy).toEqual(
      expect.arrayContaining(["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]),
    );
    expect(policy.join()).not.toMatch(/https?:|unsafe-eval|\*/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  test('carries the settings as data that no text in them can end', async () => {
    const { text } = await get('/graphql', { accept: BROWSER });
    const [, data = ''] = /<script type="application\/json" id="settings">(.*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(data)).toEqual(settings);
    expect(text.match(/<script/g)).toHaveLength(1);
  });

  test.each([
    ['a query in the URL', '/graphql?query={viewer{clientId}}', BROWSER],
    ['no Accept header', '/graphql', undefined],
    ['a client that takes anything', '/graphql', '*/*'],
    ['a client that asks for JSON', '/graphql', 'application/json'],
    ['JSON rather than HTML', '/graphql', 'text/html;q=0.5, application/graphql-response+json'],
    ['HTML refused', '/graphql', 'text/html;q=0, */*'],
    ['another path', '/graphql/more', BROWSER],
    ['the root', '/', BROWSER],
  ])('leaves a request to others: %s', async (_case, path, accept) => {
    expect((await get(path, accept === undefined ? {} : { accept })).text).toBe('left to others');
  });

  test('leaves a POST to others, whatever it accepts', async () => {
    expect((await get('/graphql', { accept: BROWSER }, 'POST')).text).toBe('left to others');
  });

  test('is given for a URL with parameters other than a query', async () => {
    expect((await get('/graphql?from=mail', { accept: BROWSER })).status).toBe(200);
  });
});

describe('an asset', () => {
  const get = serve('built/');
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };

  test.each([
    ['br', 'gzip, deflate, br, zstd'],
    ['gzip', 'gzip, br;q=0'],
    ['br', '*'],
  ] as const)('comes as %s when the client says %s', async (encoding, accepted) => {
    const { headers, body } = await get('/graphiql/assets/main.js', { 'accept-encoding': accepted });
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
    expect(headers['content-length']).toBe(String(body.length));
    expect(unpack[encoding](body).toString()).toBe(SCRIPT);
  });

  test('comes as it is when the client takes no encoding', async () => {
    const { headers, text } = await get('/graphiql/assets/main.js', { 'accept-encoding': 'identity' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBe(String(SCRIPT.length));
    expect(text).toBe(SCRIPT);
  });

  test('has its own content type, and is sent once to a client that keeps it', async () => {
    const script = await get('/graphiql/assets/main.js');
    const style = await get('/graphiql/assets/main.css');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
    expect(script.headers['cache-control']).toBe('no-cache');
    expect(script.headers['x-content-type-options']).toBe('nosniff');
    const again = await get('/graphiql/assets/main.js', { 'if-none-match': script.headers.etag ?? '' });
    expect(again.status).toBe(304);
  });

  test.each([
    '/graphiql/assets/',
    '/graphiql/assets/missing.js',
    '/graphiql/assets/main.js.br',
    '/graphiql/assets/../index.html',
    '/graphiql/assets/../../secret.js',
    '/graphiql/assets/..%2f..%2fsecret.js',
    '/graphiql/assets/%2e%2e/%2e%2e/secret.js',
    '/graphiql/assets/..\\..\\secret.js',
    '/graphiql/assets//etc/passwd',
    '/graphiql/assets/__proto__',
    '/graphiql/assets/%',
  ])('is not found at %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});

describe('without a build', () => {
  const get = serve('missing/');

  test('the page says what to do', async () => {
    const { status, text } = await get('/graphql', { accept: BROWSER });
    expect(status).toBe(404);
    expect(text).toContain('npm run build');
  });

  test('assets are not found, and GraphQL requests are left to others', async () => {
    expect((await get('/graphiql/assets/main.js')).status).toBe(404);
    expect((await get('/graphql')).text).toBe('left to others');
  });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** Serves a build for the tests of one group. Paths are sent as they stand, where `fetch` would tidy them. */
function serve(build: string) {
  let server: Server;

  beforeAll(async () => {
    const graphiql = createGraphiql(settings, pathToFileURL(join(folder, build, '/')));
    const pageFor = async (request: IncomingMessage) => graphiql(request)?.();
    server = createServer(async (request, response) => {
      const page = await pageFor(request).catch((error) => ({
        status: error.status,
        headers: {},
        body: Buffer.from(error.message),
      }));
      if (page)
        response
          .writeHead(page.status, { ...page.headers, 'Content-Length': page.body?.length ?? 0 })
          .end(page.body);
      else response.end('left to others');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<Answer>((resolve, reject) => {
      const address = server.address();
      if (!address || typeof address === 'string') throw new Error('The server is not listening');
      send({ port: address.port, host: address.address, path, method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          resolve({ status: response.statusCode, headers: response.headers, body, text: body.toString() });
        });
      })
        .on('error', reject)
        .end();
    });
}
