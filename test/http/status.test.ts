import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { isFromThisMachine } from '../../src/pages/status.ts';
import { blocksOf } from '../docs/pages.ts';
import { eventually } from '../support/eventually.ts';
import { BEARER } from '../support/gateway.ts';
import { serveBuilt } from '../support/serve.ts';

async function start(env: Record<string, string> = {}) {
  const running = await serveBuilt(readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', ...env }, []));
  onTestFinished(running.stop);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, running.url), { headers });
  const getAdmin = (path: string) => fetch(`http://127.0.0.1:${running.adminPort}${path}`);
  return { ...running, get, getAdmin };
}

async function query(url: string): Promise<void> {
  const body = JSON.stringify({
    query: '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }',
  });
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...BEARER, 'content-type': 'application/json' },
    body,
  });
  expect(response.status).toBe(200);
}

const FIGURES = {
  seconds: expect.any(Number),
  operationsPerSecond: expect.any(Number),
  p95Milliseconds: expect.any(Number),
  restCallsPerSecond: expect.any(Number),
  cacheHitPercent: 50,
  openBreakers: [],
};

test('what was done shows as numbers: at /status as JSON, and on the front page as text', async () => {
  const { url, get } = await start();
  await query(url);
  await query(url);
  // A request is counted a moment after its response was read.
  await eventually(async () => {
    const response = await get('/status');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual(FIGURES);
  });
  const page = await (await get('/')).text();
  expect(page).toMatch(
    /^The last \d+ s:\nOperations +[\d.]+ \/s\n95th percentile +[\d.]+ ms\nREST calls +[\d.]+ \/s\nCache hits +50 %\nOpen circuit breakers +none$/m,
  );
  expect(page).toMatch(/^\/status /m);
  expect(page).toMatch(/^\/metrics /m);
});

describe('with a port for operators', () => {
  test('the numbers are there, and beside it only for who asks from the machine itself', async () => {
    const { get, getAdmin } = await start({ ADMIN_PORT: '0' });
    for (const response of [await getAdmin('/status'), await get('/status')]) {
      expect(response.status).toBe(200);
      expect(await response.json()).toHaveProperty('operationsPerSecond');
    }
    expect(await (await get('/')).text()).toContain('REST calls ');
    const metrics = await get('/metrics');
    expect([metrics.status, await metrics.text()]).toEqual([404, expect.stringContaining('ADMIN_PORT')]);
    expect(await (await get('/')).text()).not.toContain('/metrics');

    const forwarded = { 'x-forwarded-for': '192.0.2.1' };
    const refused = await get('/status', forwarded);
    expect(refused.status).toBe(404);
    expect(await refused.text()).toContain('"code":"NOT_FOUND"');
    const page = await get('/', { ...forwarded, accept: 'text/html' });
    expect(page.headers.get('content-security-policy')).not.toContain('script-src');
    expect(await page.text()).not.toMatch(/status|metrics|<script|class="live"/);
  });

  test.each([
    ['127.0.0.1', {}, true],
    ['127.8.9.10', { host: 'localhost:4000', 'x-request-id': 'a' }, true],
    ['127.0.0.1', { host: 'LOCALHOST' }, true],
    ['127.0.0.1', { host: 'gateway.localhost:4000' }, true],
    ['127.0.0.1', { host: '127.0.0.1:4000' }, true],
    ['::1', { host: '[::1]:4000' }, true],
    ['127.0.0.1', { host: 'gateway.example' }, false],
    ['127.0.0.1', { host: 'localhost.gateway.example' }, false],
    ['127.0.0.1', { host: '127.0.0.1.gateway.example' }, false],
    ['127.0.0.1', { host: 'x-localhost' }, false],
    ['127.0.0.1', { host: '192.0.2.1:4000' }, false],
    ['127.0.0.1', { host: '' }, false],
    ['::1', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['192.0.2.1', {}, false],
    ['2001:db8::1', {}, false],
    ['::ffff:192.0.2.1', {}, false],
    ['1270.0.0.1', {}, false],
    [undefined, {}, false],
    ['127.0.0.1', { forwarded: 'for=192.0.2.1' }, false],
    ['127.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, false],
    ['127.0.0.1', { 'x-forwarded-proto': 'https' }, false],
    ['::1', { 'x-real-ip': '192.0.2.1' }, false],
    ['::1', { via: '1.1 proxy' }, false],
  ])('%s with %j asks from the machine itself: %j', (remoteAddress, headers, isLocal) =>
    expect(isFromThisMachine({ socket: { remoteAddress }, headers })).toBe(isLocal),
  );
});

test('with METRICS=off there are no numbers anywhere', async () => {
  const { get, getAdmin } = await start({ METRICS: 'off', ADMIN_PORT: '0' });
  expect((await get('/status')).status).toBe(404);
  expect((await getAdmin('/status')).status).toBe(404);
  expect(await (await get('/', { accept: 'text/html' })).text()).not.toMatch(/status|<script/);
});

test('the documentation shows all numbers that there are', () => {
  const [example] = blocksOf('docs/operations.md').filter(({ text }) => text.includes('cacheHitPercent'));
  expect(Object.keys(JSON.parse(example?.text ?? ''))).toEqual(Object.keys(FIGURES));
});

test('other origins and other methods get nothing', async () => {
  const { url, get } = await start({ CORS_ORIGINS: 'https://app.example' });
  const response = await get('/status', { origin: 'https://app.example' });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect((await fetch(new URL('/status', url), { method: 'POST' })).status).toBe(405);
});
