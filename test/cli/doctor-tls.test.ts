import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from './certificate.ts';
import { type Ended, run } from './support.ts';

/** What doctor says of a server with this certificate, and what credentials that server was sent. */
async function doctorAt(
  name: string,
  days: number,
  { trusted }: { readonly trusted: boolean },
): Promise<Ended & { readonly credentials: readonly unknown[] }> {
  const certificate = selfSigned(name, days);
  const credentials: unknown[] = [];
  const server = createServer(certificate, (request, response) => {
    if (request.headers.authorization) credentials.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const directory = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(directory, { recursive: true });
  });
  const authority = join(directory, 'authority.pem');
  writeFileSync(authority, certificate.cert);
  const { port } = server.address() as AddressInfo;
  const ended = await run(['doctor', '--yes', '--administration', '1'], {
    REST_URL: `https://127.0.0.1:${port}`,
    DOCTOR_TOKEN: 'a-token',
    ...(trusted && { NODE_EXTRA_CA_CERTS: authority }),
  });
  return { ...ended, credentials };
}

test('a certificate that is trusted lets the token be used', async () => {
  const { output, credentials } = await doctorAt('127.0.0.1', 400, { trusted: true });
  expect(output).toMatch(
    /✓ TLS +TLSv1\.3; the certificate of 127\.0\.0\.1 is valid until \d{4}-\d\d-\d\d, 399 days/,
  );
  expect(credentials).toEqual(['Bearer a-token']);
});

test('a certificate that ends soon is to be looked at', async () => {
  const { output, credentials } = await doctorAt('127.0.0.1', 29.5, { trusted: true });
  expect(output).toMatch(/! TLS .*, 29 days from now\n +→ See that it is renewed in time\./);
  expect(credentials).toHaveLength(1);
});

test.each([
  ['is signed by itself', '127.0.0.1', 400, false, 'NODE_EXTRA_CA_CERTS'],
  ['is for another name', 'rest.example', 400, true, 'Use the name that it is for'],
  ['has expired', '127.0.0.1', -1, true, 'renewed'],
])('a certificate that %s keeps the token here', async (what, name, days, trusted, advice) => {
  const { status, output, credentials } = await doctorAt(name, days, { trusted });
  expect(status).toBe(1);
  expect(output).toContain('✓ reachable');
  expect(output).toContain(`the certificate of 127.0.0.1 ${what}: the gateway will not connect`);
  expect(output).toContain(advice);
  expect(output).toContain('No credential was used, since the connection is not sound.');
  expect(credentials).toEqual([]);
});
