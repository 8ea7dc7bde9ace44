import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkAddress } from '../../../src/cli/doctor/connection.ts';
import { addressIn } from '../../../src/cli/doctor/credentials.ts';
import { certificateFor } from '../../support/certificate.ts';
import { freshGateway } from '../../support/gateway.ts';
import { startDemoService } from '../../support/rest-service.mjs';
import { run } from '../support.ts';
import { rows, runDoctor, startRest, TOKEN } from './support.ts';

describe('a service that cannot be reached', () => {
  test('may have no such name', async () => {
    // Longer than a DNS label may be, so that the lookup fails without a name server.
    const { status, output } = await run(['doctor', '--yes'], {
      REST_URL: `http://${'a'.repeat(64)}/`,
      ...TOKEN,
    });
    expect(status).toBe(1);
    expect(output).toMatch(/aaa is the name of no\s+machine/);
    expect(output).toContain('(unknown_host)');
  });

  test('may refuse the connection', async () => {
    const rest = await startDemoService();
    await rest.close();
    const { status, output } = await runDoctor(rest, ['--yes']);
    expect(status).toBe(1);
    expect(rows(output)).toEqual(['✓ configuration', '✗ reachable', '– TLS']);
    expect(output).toContain('refuses the connection (connection_refused)');
  });

  test('may not answer in time', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'hang' });
    const { status, output } = await runDoctor(rest, ['--yes'], { ...TOKEN, REST_TIMEOUT_MS: '1500' });
    expect(status).toBe(1);
    expect(output).toContain('does not answer in time (answer_timeout, 1500 ms)');
  });

  test('is looked at where it answers with a failure of its own', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'status', status: 503 });
    expect(rows((await runDoctor(rest, [])).output)).toEqual([
      '✓ configuration',
      '! reachable',
      '– TLS',
      '– address',
    ]);
  });
});

describe('what answers is not the REST service', () => {
  const answering = async (status: number, headers: Record<string, string>, body: string) => {
    const server = createHttpServer(
      (_request, response) => void response.writeHead(status, headers).end(body),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };

  test.each<[what: string, status: number, headers: Record<string, string>, body: string, says: string]>([
    ['a page', 200, { 'content-type': 'text/html' }, '<h1>', 'Check the address in REST_URL.'],
    ['another service', 404, {}, '{"error":"?"}', 'Check the address in REST_URL.'],
    [
      'a redirect',
      302,
      { location: 'https://x/login' },
      '',
      'Set REST_URL to where it leads: https://x/login.',
    ],
    [
      'a gateway',
      404,
      {},
      '{"errors":[{"message":"?"}]}',
      'This is a GraphQL gateway: set REST_URL to the REST',
    ],
  ])('%s', async (_what, status, headers, body, says) => {
    const { output, ...result } = await runDoctor(await answering(status, headers, body), ['--yes']);
    expect(result.status).toBe(1);
    expect(output.replace(/\s+/g, ' ')).toContain('that is not the REST service');
    expect(output).toContain(says);
    expect(output).toContain('No credential was used, since the connection is not sound.');
  });

  test('our own gateway', async () => {
    const { url } = await freshGateway();
    const { output } = await runDoctor({ url: new URL('/', url).href }, ['--yes']);
    expect(output).toContain('This is a GraphQL gateway');
  });
});

/** A server with this certificate, and the credentials that it receives. */
async function startTls(name: string, days: number) {
  const certificate = certificateFor({ name, until: days });
  const credentials: unknown[] = [];
  const server = createServer(certificate, (request, response) => {
    if (request.headers.authorization) credentials.push(request.headers.authorization);
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"x","message":"No."}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const env = { REST_URL: `https://127.0.0.1:${port}`, DOCTOR_TOKEN: 'a-token' };
  return { authority: certificate.cert, env, credentials };
}

/** Until the test is over, as NODE_EXTRA_CA_CERTS does for a process. */
function trust(authority: string): void {
  const { createSecureContext } = tls;
  const spy = vi.spyOn(tls, 'createSecureContext').mockImplementation((options) => {
    const secure = createSecureContext(options);
    secure.context.addCACert(authority);
    return secure;
  });
  onTestFinished(() => spy.mockRestore());
}

const COMMAND = ['doctor', '--yes', '--administration', '1'];

test.each([
  [400.5, /✓ TLS +TLSv1\.3; the certificate of 127\.0\.0\.1 is valid until \d{4}-\d\d-\d\d, 400 days/],
  [29.5, /! TLS .*, 29 days from now\n +→ See that it is renewed in time\./],
])('a certificate that is trusted lets the token be used, for %d days', async (days, says) => {
  const { authority, env, credentials } = await startTls('127.0.0.1', days);
  trust(authority);
  expect((await run(COMMAND, env)).output).toMatch(says);
  expect(credentials).toEqual(['Bearer a-token']);
});

test.each([
  ['is signed by itself', '127.0.0.1', 400, false, 'NODE_EXTRA_CA_CERTS', 'tls_self_signed'],
  ['is for another name', 'rest.example', 400, true, 'Use the name that it is for', 'tls_wrong_host'],
  ['has expired', '127.0.0.1', -1, true, 'renewed', 'tls_expired'],
])('a certificate that %s keeps the token here', async (what, name, days, trusted, advice, fault) => {
  const { authority, env, credentials } = await startTls(name, days);
  if (trusted) trust(authority);
  const { status, output } = await run(COMMAND, env);
  expect(status).toBe(1);
  expect(output).toContain('✓ reachable');
  const message = `the certificate of 127.0.0.1 ${what}: the gateway will not connect (${fault})`;
  expect(output.replace(/\s+/g, ' ')).toContain(message);
  expect(output).toContain(advice);
  expect(output).toContain('No credential was used, since the connection is not sound.');
  expect(credentials).toEqual([]);
});

test.each([
  ['127.8.0.1', 'skipped'],
  ['::1', 'skipped'],
  ['10.1.2.3', 'warned'],
  ['172.32.0.1', 'passed'],
  ['192.168.1.20', 'warned'],
  ['fd12:3456::1', 'warned'],
  ['fe80::1', 'warned'],
  ['203.0.113.7', 'passed'],
  ['2001:db8::7', 'passed'],
])('the address %s that connections leave from is named: %s', (address, outcome) => {
  const add = vi.fn();
  checkAddress(address, { add });
  expect(add).toHaveBeenCalledOnce();
  expect(add.mock.calls[0]?.slice(0, 2)).toEqual([outcome, 'address']);
  expect(String(add.mock.calls[0])).toContain(address);
});

test.each([
  ['The application does not allow requests from 127.0.0.1; the token is revoked.', '127.0.0.1'],
  ['Not allowed: 2001:db8::7, sorry', '2001:db8::7'],
  ['(::1)', '::1'],
  ['ip="203.0.113.7".', '203.0.113.7'],
  ['Version 1.2.3 refuses you at 12:30:00: 999.1.1.1', undefined],
])('in %j the address is %s', (text, address) => {
  expect(addressIn(text)).toBe(address);
});
