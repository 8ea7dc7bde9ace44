import { connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { proxyFor } from '../../../src/rest/client/proxy.ts';
import { certificateFor, trust } from '../../support/certificate.ts';
import { freshGateway } from '../../support/gateway.ts';
import { startEgressProxy } from '../../support/proxy.ts';
import { listen, startRest } from '../../support/resources.ts';
import { startDemoService } from '../../support/rest-service.mjs';
import { createTestTelemetry } from '../../support/telemetry.ts';

const LIST = '{ debtors(administrationId: "1001", first: 1) { nodes { id } } }';
const WRITE = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { id } } }';

describe('the proxy for REST calls', () => {
  const [httpsProxy, httpProxy] = [new URL('http://secure:1'), new URL('http://plain:2')];
  test.each<[url: string, noProxy: string, proxy: URL | undefined]>([
    ['https://rest.example', '', httpsProxy],
    ['http://rest.example', '', httpProxy],
    ['https://rest.example', 'example.com, other.example', httpsProxy],
    ['https://rest.example', 'rest.example', undefined],
    ['https://rest.example', 'localhost,REST.example', undefined],
    ['https://rest.example', '.example', undefined],
    ['https://rest.example', 'est.example', httpsProxy],
    ['https://rest.example', 'a.rest.example', httpsProxy],
    ['https://rest.example', 'x *', undefined],
    ['https://rest.example', 'rest.example:444', httpsProxy],
    ['http://rest.example:8080', 'rest.example:8080', undefined],
    ['https://10.1.2.3', '10.0.0.0/8', undefined],
    ['https://11.1.2.3', '10.0.0.0/8', httpsProxy],
    ['https://rest.example', '10.0.0.0/8', httpsProxy],
    ['https://[::1]:8443', '[::1]:8443', undefined],
  ])('to %s with NO_PROXY=%s is %s', (url, noProxy, proxy) => {
    expect(proxyFor(new URL(url), { httpsProxy, httpProxy, noProxy })).toBe(proxy);
  });

  test('to https:// is HTTP_PROXY without HTTPS_PROXY, but not the reverse', () => {
    expect(proxyFor(new URL('https://x'), { httpProxy })).toBe(httpProxy);
    expect(proxyFor(new URL('http://x'), { httpsProxy })).toBeUndefined();
  });
});

async function startBehind(proxy: string, settings: { readonly noProxy?: string } = {}) {
  const { telemetry, options, text } = createTestTelemetry();
  onTestFinished(() => telemetry.stop());
  const gateway = await freshGateway({
    ...options,
    gateway: { ...options.gateway, httpProxy: new URL(proxy), ...settings },
  });
  return { ...gateway, text };
}

describe('REST calls with a proxy', () => {
  test('use its credentials, which the service does not see, and reuse the connection', async () => {
    const proxy = await startEgressProxy('connect', 'user:p@ss/%');
    const { rest, query, calls } = await startBehind(proxy.url);
    for (const _ of [1, 2]) expect((await query(LIST)).errors).toBeUndefined();
    expect(calls()).toHaveLength(2);
    expect(proxy.asked.map(({ target }) => target)).toEqual([new URL(rest.url).host]);
    expect(rest.calls.map(({ headers }) => headers['proxy-authorization'])).toEqual([undefined, undefined]);
    // Each write has a connection of its own.
    for (const _ of [1, 2]) await query(WRITE);
    expect(proxy.asked).toHaveLength(3);
  });

  test('are tunneled over TLS and check the certificate of the service', async () => {
    const proxy = await startEgressProxy();
    const rest = await startRest();
    const certificate = certificateFor({ name: '127.0.0.1' });
    const front = createTlsServer(certificate, (socket) => {
      const behind = connect(Number(new URL(rest.url).port), '127.0.0.1');
      socket
        .on('error', () => behind.destroy())
        .pipe(behind.on('error', () => {}))
        .pipe(socket);
    });
    const port = await listen(front);
    const gateway = { restUrl: new URL(`https://127.0.0.1:${port}`), httpsProxy: new URL(proxy.url) };
    const { query } = await freshGateway({ over: rest, gateway });
    expect((await query(LIST)).errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    expect(rest.calls).toEqual([]);
    trust(certificate.cert);
    const trusting = await freshGateway({ over: rest, gateway });
    expect((await trusting.query(LIST)).errors).toBeUndefined();
    expect(rest.calls).toHaveLength(1);
    expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set([`127.0.0.1:${port}`]));
  });

  test.each([
    [
      'asks for other credentials',
      407,
      'proxy_authentication',
      'rejected the credentials of the gateway (407)',
      1,
    ],
    ['refuses to connect', 403, 'proxy_refused', 'refused the connection (403)', 3],
    ['hangs up', 'hang up', 'proxy_unreachable', 'cannot be reached', 3],
  ] as const)('fail with a reason if the proxy %s', async (_what, behaviour, fault, message, attempts) => {
    const proxy = await startEgressProxy(behaviour);
    const { query, calls, text } = await startBehind(proxy.url.replace('//', '//user:canary@'));
    const answer = await query(LIST);
    expect(answer.errors).toMatchObject([
      {
        message: `The proxy on the way to the REST service ${message}.`,
        extensions: { code: 'UPSTREAM_UNAVAILABLE', upstream: { path: '/v1/debtors' } },
      },
    ]);
    expect(proxy.asked).toHaveLength(attempts);
    // Nothing may have been carried out.
    const [error] = (await query(WRITE)).errors ?? [];
    expect(error?.message).toBe(`The proxy on the way to the REST service ${message}.`);
    expect(proxy.asked).toHaveLength(attempts + 1);
    expect(calls()).toEqual([]);
    expect(text()).toContain(`"errorType":"${fault}"`);
    expect(answer.text + text()).not.toContain('canary');
  });

  test('are sent directly if NO_PROXY lists the service, but not if the proxy is unreachable', async () => {
    const gone = await startDemoService();
    await gone.close();
    const { query, calls, text } = await startBehind(gone.url);
    expect((await query(LIST)).errors).toMatchObject([
      { message: 'The proxy on the way to the REST service cannot be reached.' },
    ]);
    expect(calls()).toEqual([]);
    expect(text()).toContain('"errorType":"proxy_unreachable"');
    const direct = await startBehind(gone.url, { noProxy: '127.0.0.1' });
    expect((await direct.query(LIST)).errors).toBeUndefined();
  });

  test('use the `dispatcher` option, which stays open, instead', async () => {
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const paths: string[] = [];
    const counting = dispatcher.compose((dispatch) => (options, handler) => {
      paths.push(options.path.split('?')[0] ?? '');
      return dispatch(options, handler);
    });
    const dead = new URL('http://127.0.0.1:9');
    const { query, close } = await freshGateway({ gateway: { dispatcher: counting, httpProxy: dead } });
    expect((await query(LIST)).errors).toBeUndefined();
    await query(WRITE);
    await close();
    expect(paths).toEqual(['/v1/debtors', '/v1/tasks/400001/unmark_completed']);
    expect([dispatcher.closed, dispatcher.destroyed]).toEqual([false, false]);
  });
});
