import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/config/index.ts';
import type { Running } from '../../src/server/serve.ts';
import { BEARER } from '../support/gateway.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { serveBuilt } from '../support/serve.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const QUERY = '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }';

/** As `npm start` starts it, over a REST service whose calls can be seen. */
async function start(env: Record<string, string> = {}): Promise<Running & { readonly rest: DemoService }> {
  const rest = await startDemoService();
  const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', REST_URL: rest.url, ...env }, []);
  const running = await serveBuilt(config);
  const stop = async () => {
    await running.stop();
    await rest.close();
  };
  return { ...running, rest, stop };
}

async function startForTest(env: Record<string, string> = {}) {
  const running = await start(env);
  onTestFinished(running.stop);
  return running;
}

function get(url: string, accept = BROWSER, method = 'GET'): Promise<Response> {
  return fetch(new URL('/', url), { method, headers: { accept } });
}

async function textOf(url: string): Promise<string> {
  return (await get(url, '*/*')).text();
}

function query(url: string, credential = BEARER): Promise<Response> {
  const headers = { ...credential, 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: QUERY }) });
}

describe('GET /', async () => {
  const running = await start();
  afterAll(running.stop);

  test('gives a browser a page', async () => {
    const response = await get(running.url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page).toContain(`<h1>receivables-graphql</h1><span>${packageJson.version}</span>`);
    for (const path of ['/graphql', '/docs', '/schema.graphql', '/health', '/ready', '/status', '/metrics'])
      expect(page).toContain(`<a href="${path}">`);
    expect(page).toContain('href="/graphql">Open GraphiQL</a>');
  });

  test.each(['*/*', 'text/plain', 'application/json', 'text/html;q=0.5, text/plain', ''])(
    'gives others the same as text: %j',
    async (accept) => {
      const response = await get(running.url, accept);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      const text = await response.text();
      expect(text).toMatch(`receivables-graphql ${packageJson.version}\n`);
      expect(text).toMatch(/^REST service: Answered in \d+ ms\.$/m);
      expect(text).toContain(`curl ${running.url} \\`);
      expect(text).toContain("'Authorization: Bearer <your access token>'");
      expect(text).toContain('<your administration>');
      expect(text).not.toContain(running.rest.url);
    },
  );

  test('allows itself nothing but its own style and script, which asks this server alone', async () => {
    const response = await get(running.url);
    const page = await response.text();
    const hashOf = (tag: string) => {
      const [, text = ''] = new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(page) ?? [];
      return createHash('sha256').update(text).digest('base64');
    };
    expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hashOf('style')}'`,
      `script-src 'sha256-${hashOf('script')}'`,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('is compressed for a client that accepts that', async () => {
    const lengthIn = async (encoding: string) => {
      const headers = { accept: BROWSER, 'accept-encoding': encoding };
      const response = await fetch(new URL('/', running.url), { method: 'HEAD', headers });
      expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
      return Number(response.headers.get('content-length'));
    };
    const plain = await lengthIn('identity');
    for (const encoding of ['br', 'gzip']) expect(await lengthIn(encoding)).toBeLessThan(plain * 0.7);
    const response = await fetch(new URL('/', running.url), { headers: { accept: BROWSER } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toContain('<h1>receivables-graphql</h1>');
  });

  test('answers HEAD with the headers alone', async () => {
    const response = await get(running.url, BROWSER, 'HEAD');
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1000);
    expect(await response.text()).toBe('');
  });

  test.each(['POST', 'PUT', 'OPTIONS'])('refuses %s / and says what to use', async (method) => {
    const response = await get(running.url, '*/*', method);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await response.text()).toContain('"code":"METHOD_NOT_ALLOWED"');
  });

  test('names the address that it was asked under', async () => {
    const { port } = new URL(running.url);
    const headers = { host: 'gateway.example', 'x-forwarded-proto': 'https' };
    const text = await new Promise<string>((resolve, reject) => {
      request({ port, host: '127.0.0.1', headers }, async (response) => {
        resolve(Buffer.concat(await response.toArray()).toString());
      })
        .on('error', reject)
        .end();
    });
    expect(text).toContain('curl https://gateway.example/graphql');
  });
});

describe('the state of the REST service', () => {
  test('is found by one call for many visitors, without any credential', async () => {
    const { url, rest } = await startForTest({ REST_CLIENT_ID: 'id', REST_CLIENT_SECRET: 'secret' });
    await Promise.all(
      Array.from({ length: 50 }, () => fetch(new URL('/', url), { headers: { ...BEARER, accept: BROWSER } })),
    );
    expect(rest.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['HEAD /']);
    expect(rest.calls[0]?.headers).not.toHaveProperty('authorization');
  });

  test('is told when it is down', async () => {
    const { url, rest } = await startForTest();
    await rest.close();
    expect(await textOf(url)).toContain('REST service: Cannot be reached (connection_refused).');
    expect(await (await get(url)).text()).toContain('class="service bad"');
  });

  test('is told when it only fails', async () => {
    const { url, rest } = await startForTest();
    rest.misbehave({ kind: 'status', status: 503, times: 1e6 });
    expect(await textOf(url)).toContain('REST service: Answers with status 503.');
    expect(await (await get(url)).text()).toContain('class="service poor"');
  });

  test('names the endpoints that an open circuit breaker holds back', async () => {
    const { url, rest } = await startForTest({ CACHE_TTL_MS: '0' });
    rest.misbehave({ kind: 'status', status: 503, headers: { 'retry-after': '30' }, times: 1e6 });
    for (let call = 0; call < 20; call += 1) await query(url);
    expect(await (await fetch(new URL('/status', url))).json()).toMatchObject({
      openBreakers: ['GET /v1/debtors'],
    });
    expect(await (await fetch(new URL('/metrics', url))).text()).toContain(
      'receivables_breaker_state{endpoint="GET /v1/debtors"} 2',
    );
    expect(await textOf(url)).toMatch(
      /Too many calls failed, so these\s+are\s+paused:\s+GET\s+\/v1\/debtors\./,
    );
    expect(await (await get(url)).text()).toContain('class="service bad"');
  });
});

test('over the embedded service the example works as it stands', async () => {
  const { url } = await startForTest({ REST_URL: '' });
  const text = await textOf(url);
  expect(text).toContain('Embedded REST service, with made-up data: Answered in');
  const [, address = ''] = /^curl (\S+)/m.exec(text) ?? [];
  const [, body = ''] = /-d '(.*)'/.exec(text) ?? [];
  const headers = Object.fromEntries(
    Array.from(text.matchAll(/-H '([^:]+): ([^']+)'/g), ([, name = '', value = '']) => [name, value]),
  );
  const response = await fetch(address, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ data: { debtors: { nodes: { length: 3 } } } });
});
