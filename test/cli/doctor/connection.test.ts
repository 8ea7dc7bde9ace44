import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { expect, test } from 'vitest';
import { certificateFor, trust } from '../../support/certificate.ts';
import { ADMINISTRATION } from '../../support/gateway.ts';
import { startEgressProxy } from '../../support/proxy.ts';
import { listen, startRest } from '../../support/resources.ts';
import { startDemoService } from '../../support/rest-service.mjs';
import { run } from '../support.ts';
import { rows, runDoctor, TOKEN } from './support.ts';

const NOT_USED = 'No credential was used, because the connection failed its checks.';

test('doctor reports an unreachable service with the error and a remedy', async () => {
  const gone = await startDemoService();
  await gone.close();
  const slow = await startRest();
  slow.misbehave({ kind: 'hang' });
  const findings = [
    // Longer than a DNS label may be, so that the lookup fails without a name server.
    [{ url: `https://${'a'.repeat(64)}/` }, /cannot be reached\s+\(unknown_host\)\n +→ Check the name/],
    [gone, /cannot be reached \(connection_refused\)\n +→ Check port and scheme/],
    [slow, /does not respond within 1500 ms \(answer_timeout\)\n +→ Check whether the service is slow/],
  ] as const;
  for (const [rest, finding] of findings) {
    const { status, output } = await runDoctor(rest, ['--yes'], { ...TOKEN, REST_TIMEOUT_MS: '1500' });
    expect(status).toBe(1);
    expect(rows(output)).toEqual(['✓ configuration', '✗ reachable']);
    expect(output).toMatch(finding);
    expect(output).toContain(NOT_USED);
  }
});

test('doctor reports a service that responds with 503 as a warning', async () => {
  const rest = await startRest();
  rest.misbehave({ kind: 'status', status: 503 });
  expect(rows((await runDoctor(rest, [])).output)).toEqual(['✓ configuration', '! reachable']);
});

test.each([
  [200, { 'content-type': 'text/html' }, '<h1>', 'Check the address in REST_URL.'],
  [404, {}, '{"error":"?"}', 'Check the address in REST_URL.'],
  [302, { location: 'https://x/login' }, '', 'Set REST_URL to where it leads: https://x/login.'],
])('doctor sends no credential to another server than the service: %i', async (code, headers, body, says) => {
  const server = createHttpServer((_request, response) => response.writeHead(code, headers).end(body));
  const url = `http://127.0.0.1:${await listen(server)}`;
  const { status, output } = await runDoctor({ url }, ['--yes']);
  expect(status).toBe(1);
  expect(output.replace(/\s+/g, ' ')).toContain('that is not the REST service');
  for (const text of [says, NOT_USED]) expect(output).toContain(text);
});

async function startTls(name: string, days: number) {
  const certificate = certificateFor({ name, until: days });
  const credentials: unknown[] = [];
  const server = createServer(certificate, (request, response) => {
    if (request.headers.authorization) credentials.push(request.headers.authorization);
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"x","message":"No."}');
  });
  const env = { REST_URL: `https://127.0.0.1:${await listen(server)}`, DOCTOR_TOKEN: 'a-token' };
  return { authority: certificate.cert, env, credentials };
}

const COMMAND = ['doctor', '--yes', '--administration', '1'];

test.each([
  [400.5, /✓ TLS +TLSv1\.3; the certificate of 127\.0\.0\.1 is valid until \d{4}-\d\d-\d\d, 400 days/],
  [29.5, /! TLS .*, 29 days from now\n +→ Renew it in time\./],
])('doctor sends the token if it trusts the certificate, which is valid for %d days', async (days, says) => {
  const { authority, env, credentials } = await startTls('127.0.0.1', days);
  trust(authority);
  expect((await run(COMMAND, env)).output).toMatch(says);
  expect(credentials).toEqual(['Bearer a-token']);
});

test.each([
  ['tls_self_signed', '127.0.0.1', 400, false, 'NODE_EXTRA_CA_CERTS'],
  ['tls_wrong_host', 'rest.example', 400, true, 'that the certificate is for'],
  ['tls_expired', '127.0.0.1', -1, true, 'must be renewed'],
])('doctor sends no token if the certificate is invalid: %s', async (fault, name, days, trusted, advice) => {
  const { authority, env, credentials } = await startTls(name, days);
  if (trusted) trust(authority);
  const { status, output } = await run(COMMAND, env);
  expect(status).toBe(1);
  for (const text of [`(${fault})`, advice, NOT_USED]) expect(output).toContain(text);
  expect(credentials).toEqual([]);
});

test('doctor does not send a token unencrypted to another machine', async () => {
  // 0.0.0.0 connects to this machine, but is not recognised as a loopback address.
  const rest = await startRest({ host: '0.0.0.0' });
  const { status, output } = await runDoctor(rest, ['--yes']);
  expect(status).toBe(1);
  expect(rows(output)).toEqual(['✓ configuration', '✓ reachable', '✗ TLS']);
  expect(output).toContain(NOT_USED);
  expect(rest.calls.filter(({ headers }) => headers.authorization)).toEqual([]);
});

test('doctor sends every call through the proxy and prints its address for the allow list', async () => {
  const rest = await startRest();
  const proxy = await startEgressProxy('connect', 'user:canary');
  const args = ['--yes', '--administration', ADMINISTRATION];
  const { status, output } = await runDoctor(rest, args, { ...TOKEN, HTTP_PROXY: proxy.url });
  expect(status).toBe(0);
  const text = output.replace(/\s+/g, ' ');
  expect(text).toContain(`, through the proxy http://${proxy.host}`);
  expect(text).toContain(
    `✓ address connections leave from the proxy ${proxy.host}, which belongs on the IP allow list`,
  );
  expect(text).not.toContain('canary');
  expect(proxy.asked.length).toBeGreaterThan(1);
});

test.each([
  ['proxy_authentication', 407],
  ['proxy_refused', 403],
] as const)('doctor reports a proxy that rejects the connection as %s', async (fault, refusal) => {
  const rest = await startRest();
  const proxy = await startEgressProxy(refusal);
  const { status, output } = await runDoctor(rest, ['--yes'], { ...TOKEN, HTTP_PROXY: proxy.url });
  expect(status).toBe(1);
  for (const text of [`(${fault})`, 'Check HTTPS_PROXY or HTTP_PROXY', NOT_USED])
    expect(output.replace(/\s+/g, ' ')).toContain(text);
  expect(rest.calls).toEqual([]);
});
