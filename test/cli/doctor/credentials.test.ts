import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../../src/demo/applications.ts';
import { startRest } from '../../support/resources.ts';
import { APPLICATION, application, check, findingOf, notPassed, tokens } from './support.ts';

const IN = { administration: '1001' };

test('doctor gets the administrations of the token from the application and reads the first', async () => {
  const findings = await check(await startRest(), { env: APPLICATION });
  expect(notPassed(findings)).toEqual([]);
  expect(findings.slice(0, 2)).toEqual([
    expect.stringMatching(
      /^✓ application: accepted; the token reaches 1001 \(Zorggroep Noord: Facturatie\), 1002 .*, 1003/,
    ),
    '✓ administration: reads from 1001',
  ]);
  expect(findings.at(-1)).toBe('✓ token: accepted');
  expect(findingOf(findings, 'companies')).toBe('✓ companies: can be read');
});

test('doctor reports a wrong secret of the application once', async () => {
  const env = { ...APPLICATION, REST_CLIENT_SECRET: 'wrong' };
  expect(notPassed(await check(await startRest(), { env, ...IN }))).toEqual([
    '✗ application: The client id and secret are not those of an application. → Check REST_CLIENT_ID and REST_CLIENT_SECRET.',
    '– companies: the credential was rejected',
  ]);
});

test('doctor warns if the application does not own the token', async () => {
  const { clientId, clientSecret } = demoCredentials.restrictedApplication;
  const env = { REST_CLIENT_ID: clientId, REST_CLIENT_SECRET: clientSecret };
  const findings = await check(await startRest(), { env, ...IN });
  expect(findings[0]).toMatch(/^! application: accepted, but it does not know the token → The token has/);
  expect(findingOf(findings, 'token')).toMatch(/^✓/);
});

test('doctor needs --administration if no application lists one', async () => {
  const findings = await check(await startRest());
  expect(findings.at(-1)).toBe('✗ administration: unknown → Pass --administration <id>.');
});

describe('doctor', () => {
  test('sends an unknown token once', async () => {
    const rest = await startRest();
    const findings = await check(rest, { token: 'unknown-token', ...IN });
    expect(findingOf(findings, 'token')).toMatch(
      /^✗ token: The token is unknown, expired or revoked\. → Check/,
    );
    expect(rest.calls.filter(({ headers }) => headers.authorization)).toHaveLength(1);
  });

  test('reports that its first call revoked the token', async () => {
    const rest = await startRest();
    const findings = await check(rest, { token: tokens.restricted, ...IN });
    expect(findingOf(findings, 'token')).toMatch(
      /^✗ token: the service has just revoked it: .*127\.0\.0\.1.* → Make sure that the address .* allow list .* new token\.$/,
    );
    expect(rest.calls.map(({ status }) => status)).toEqual([401, 403, 401]);
  });

  test('does not send a token again after it was revoked', async () => {
    const rest = await startRest();
    const path = '/v1/credit_cases/deleted';
    rest.misbehave({ kind: 'rewrite', match: { path }, rewrite: (body) => body, times: 2 });
    rest.misbehave({ kind: 'status', match: { path }, status: 401 });
    const faults = (await check(rest, IN)).filter((finding) => finding.startsWith('✗'));
    expect(faults).toEqual([
      expect.stringMatching(/^✗ deletedCreditCases.deletedAfter: /),
      expect.stringMatching(/^✗ token: /),
    ]);
    expect(rest.calls.at(-1)).toMatchObject({ path, status: 401 });
  });

  test('skips a list if the token lacks its scope', async () => {
    const findings = await check(await startRest(), { token: tokens.readOnlyDebtors, ...IN });
    expect(findings.filter((finding) => finding.startsWith('✗'))).toEqual([]);
    expect(findingOf(findings, 'deletedPayments')).toBe(
      '– deletedPayments: no scope: The token lacks the permission payments:read.',
    );
  });

  test('fails if the token cannot read any list', async () => {
    const findings = await check(await startRest(), { administration: '2001' });
    expect(findingOf(findings, 'token')).toMatch(/^✗ token: it cannot read any list → Check its scopes/);
  });

  test('prints when the token expires', async () => {
    const findings = await check(await startRest(), { env: APPLICATION, token: demoCredentials.accessToken });
    expect(findingOf(findings, 'token')).toMatch(/: accepted; it expires at \d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });
});

test.each([
  [{ kind: 'hang' }, /did not respond within 300 ms .*\(answer_timeout\) → .*REST_TIMEOUT_MS/],
  [{ kind: 'body', body: '<html>' }, /not JSON.*→ Check that REST_URL leads/],
  [
    { kind: 'status', status: 500 },
    /The REST service failed\. \(status_5xx, status 500\) → .*log of the service/,
  ],
  [
    { kind: 'status', status: 404 },
    /Answered 404 on request\. \(unknown_path, status 404\) → .*REST_URL.*\/v1/,
  ],
] as const)('doctor reports a list that fails with its cause and a remedy: %j', async (fault, said) => {
  const rest = await startRest();
  const match = { path: '/v1/payments/deleted' };
  rest.misbehave({ ...fault, times: 10, match });
  const findings = await check(rest, { ...IN, env: { REST_TIMEOUT_MS: '300' } });
  expect(findingOf(findings, 'deletedPayments')).toMatch(said);
});

test('doctor hides a secret that the service quotes', async () => {
  const rest = await startRest();
  const basic = Buffer.from(`${application.clientId}:${application.clientSecret}`).toString('base64');
  const secrets = [tokens.companyA, basic];
  const quote = (path: string, message = '') =>
    rest.misbehave({
      kind: 'status',
      match: { path },
      status: 400,
      body: JSON.stringify({ code: 'x', message }),
    });
  quote('/v1/payments/deleted', secrets[0]);
  quote('/v1/companies', secrets[1]);
  const shown = (await check(rest, { env: APPLICATION })).join('\n');
  expect(shown.match(/\[secret\]/g)).toHaveLength(2);
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
});
