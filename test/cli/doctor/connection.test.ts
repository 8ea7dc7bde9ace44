import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkMemory } from '../../../src/cli/doctor/connection.ts';
import { readConfig } from '../../../src/config/index.ts';
import { memoryLimits } from '../../../src/limits/memory-limits.ts';
import { certificateFor } from '../../support/certificate.ts';
import { startDemoService } from '../../support/rest-service.mjs';
import { run, runProcess } from '../support.ts';
import { rows, runDoctor, startRest, TOKEN } from './support.ts';

test.each([
  ['the defaults', {}, 2_000, 'passed'],
  ['the defaults in a small heap', {}, 256, 'warned'],
  ['a smaller answer there', { MAX_ANSWER_BYTES: '8000000' }, 256, 'passed'],
  ['an answer as large as all memory', { MAX_ANSWER_BYTES: '500000000' }, 4_000, 'warned'],
])('doctor looks at the memory for %s', (_what, env, heapMegabytes, outcome) => {
  const finding = checkMemory(readConfig(env, []), memoryLimits(heapMegabytes * 1e6));
  expect(finding.outcome).toBe(outcome);
  expect(finding.advice !== undefined).toBe(outcome === 'warned');
});

describe('a service that cannot be reached', () => {
  test('may have no such name', async () => {
    // Longer than a DNS label may be, so that the lookup fails without a name server.
    const { status, output } = await run(['doctor', '--yes'], {
      REST_URL: `http://${'a'.repeat(64)}/`,
      ...TOKEN,
    });
    expect(status).toBe(1);
    expect(output).toMatch(/there is no machine named\s+aaa/);
    expect(output).toContain('(unknown_host)');
  });

  test('may refuse the connection', async () => {
    const rest = await startDemoService();
    await rest.close();
    const { status, output } = await runDoctor(rest, ['--yes']);
    expect(status).toBe(1);
    expect(rows(output)).toEqual(['✓ configuration', '✓ memory', '✗ reachable', '– TLS']);
    expect(output).toContain('refuses the connection (connection_refused)');
  });

  test('may not answer in time', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'hang' });
    const { status, output } = await runDoctor(rest, ['--yes'], { ...TOKEN, REST_TIMEOUT_MS: '1500' });
    expect(status).toBe(1);
    expect(output).toContain('did not answer within 1500 ms (answer_timeout)');
  });

  test('is looked at where it answers with a failure of its own', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'status', status: 503 });
    expect(rows((await runDoctor(rest, [])).output)).toEqual([
      '✓ configuration',
      '✓ memory',
      '! reachable',
      '– TLS',
      '– address',
    ]);
  });
});

/** A server with this certificate, and the credentials that it receives. */
async function startTls(name: string, days: number) {
  const certificate = certificateFor({ name, until: days });
  const credentials: unknown[] = [];
  const server = createServer(certificate, (request, response) => {
    if (request.headers.authorization) credentials.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
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

test('a certificate that is trusted lets the token be used', async () => {
  const { authority, env, credentials } = await startTls('127.0.0.1', 400);
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'authority.pem');
  writeFileSync(file, authority);
  // Node reads NODE_EXTRA_CA_CERTS only as it starts.
  const { output } = await runProcess(COMMAND, { ...env, NODE_EXTRA_CA_CERTS: file });
  expect(output).toMatch(
    /✓ TLS +TLSv1\.3; the certificate of 127\.0\.0\.1 is valid until \d{4}-\d\d-\d\d, 399 days/,
  );
  expect(credentials).toEqual(['Bearer a-token']);
});

test('a certificate that ends soon is to be looked at', async () => {
  const { authority, env, credentials } = await startTls('127.0.0.1', 29.5);
  trust(authority);
  const { output } = await run(COMMAND, env);
  expect(output).toMatch(/! TLS .*, 29 days from now\n +→ See that it is renewed in time\./);
  expect(credentials).toHaveLength(1);
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
