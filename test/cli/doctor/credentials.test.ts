import { describe, expect, test } from 'vitest';
import { checkTokenFormat } from '../../../src/cli/doctor/credentials.ts';
import { demoCredentials } from '../../../src/demo/applications.ts';
import {
  APPLICATION,
  application,
  check,
  findingOf,
  notPassed,
  startRest,
  tokens,
  toLine,
} from './support.ts';

const { restrictedApplication } = demoCredentials;

describe('the application', () => {
  test('is accepted, and tells what the token reaches', async () => {
    const findings = await check(await startRest(), { env: APPLICATION });
    expect(notPassed(findings)).toEqual([]);
    expect(findings.slice(0, 3).map(toLine)).toEqual([
      'passed application: accepted; the token reaches 3 administrations of Zorggroep Noord B.V.',
      'passed administration: 1001 (Zorggroep Noord: Facturatie), the first that the token reaches',
      'passed token: accepted',
    ]);
    expect(findingOf(findings, 'companies')?.outcome).toBe('passed');
  });

  test('is refused with a wrong secret, which is one fault', async () => {
    const env = { ...APPLICATION, REST_CLIENT_SECRET: 'wrong' };
    expect(notPassed(await check(await startRest(), { env, administration: '1001' }))).toEqual([
      'failed application: The client id and secret are not those of an application.',
      'skipped companies: the credential is refused',
    ]);
  });

  test('may be another than that of the token', async () => {
    const { clientId, clientSecret } = restrictedApplication;
    const env = { REST_CLIENT_ID: clientId, REST_CLIENT_SECRET: clientSecret };
    const findings = await check(await startRest(), { env, administration: '1001' });
    expect(findingOf(findings, 'application')).toMatchObject({
      outcome: 'warned',
      message: 'accepted, but it does not know the token',
    });
    expect(findingOf(findings, 'token')?.outcome).toBe('passed');
  });
});

describe('the administration', () => {
  test('that is asked for must be one that the token reaches', async () => {
    const rest = await startRest();
    expect(notPassed(await check(rest, { env: APPLICATION, administration: '2001' }))).toEqual([
      'failed administration: the token does not reach 2001',
    ]);
    expect(rest.calls.map(({ path }) => path)).toEqual(['/oauth/introspect']);
  });

  test('is that of the first row of a list that shows one', async () => {
    const findings = await check(await startRest({ unknownParameters: 'ignore' }));
    expect(findingOf(findings, 'administration')?.message).toMatch(/^100\d, that of the first row of \w+$/);
  });

  test('has to be passed where no list shows one', async () => {
    const findings = await check(await startRest());
    expect(findings.at(-1)).toMatchObject({
      check: 'administration',
      outcome: 'failed',
      advice: expect.stringContaining('--administration'),
    });
  });
});

describe('the token', () => {
  test.each([{}, { administration: '1001' }])('that is not known is sent once: %j', async (asked) => {
    const rest = await startRest();
    const findings = await check(rest, { token: 'unknown-token', ...asked });
    expect(findingOf(findings, 'token')).toMatchObject({
      outcome: 'failed',
      message: 'The token is unknown, expired or revoked.',
    });
    expect(rest.calls).toHaveLength(1);
  });

  test.each([{}, { administration: '1001' }])(
    'that the first call revoked is told as such: %j',
    async (asked) => {
      const rest = await startRest();
      const findings = await check(rest, { token: tokens.restricted, ...asked });
      expect(findingOf(findings, 'token')).toMatchObject({
        outcome: 'failed',
        message: 'the service has just revoked it, since it came from 127.0.0.1',
        advice: 'Put 127.0.0.1 on the IP allow list of its application, and get a new token.',
      });
      expect(rest.calls.map(({ status }) => status)).toEqual([403, 401]);
    },
  );

  test('that was revoked without a word on its address is told what the service said', async () => {
    const rest = await startRest();
    const body = JSON.stringify({ code: 'forbidden', message: 'Not from there.' });
    rest.misbehave({ kind: 'status', status: 403, body });
    const findings = await check(rest, { token: 'revoked-by-now', administration: '1001' });
    expect(findingOf(findings, 'token')).toMatchObject({
      outcome: 'failed',
      message: 'the service has just revoked it: Not from there.',
      advice: expect.stringContaining('that the address of this machine is on the IP allow list'),
    });
  });

  test('that is revoked half-way is not sent again', async () => {
    const rest = await startRest();
    const path = '/v1/credit_cases/deleted';
    rest.misbehave({ kind: 'rewrite', match: { path }, rewrite: (body) => body, times: 2 });
    rest.misbehave({ kind: 'status', match: { path }, status: 401 });
    const findings = await check(rest, { administration: '1001' });
    expect(findings.at(-1)).toMatchObject({
      list: 'deletedCreditCases',
      check: 'deletedAfter',
      outcome: 'failed',
    });
    expect(rest.calls.at(-1)).toMatchObject({ path, status: 401 });
  });

  test('without a scope for a list is no fault', async () => {
    const findings = await check(await startRest(), {
      token: tokens.readOnlyDebtors,
      administration: '1001',
    });
    expect(findingOf(findings, 'token')?.outcome).toBe('passed');
    expect(findings.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(findingOf(findings, 'deletedPayments')).toMatchObject({
      outcome: 'skipped',
      message: 'no scope: The token lacks the permission payments:read.',
    });
  });

  test('that may read nothing is a fault', async () => {
    const findings = await check(await startRest(), { administration: '2001' });
    expect(findingOf(findings, 'token')).toMatchObject({
      outcome: 'failed',
      message: 'no list may be read with it',
    });
  });

  test('shows when it expires', async () => {
    const findings = await check(await startRest(), {
      env: APPLICATION,
      token: demoCredentials.accessToken,
    });
    expect(findingOf(findings, 'token')?.message).toMatch(
      /^accepted; it expires at \d{4}-\d\d-\d\dT[\d:.]+Z$/,
    );
  });

  test.each([1e13, 1e300])('is accepted where it expires at no moment: %d', async (exp) => {
    const rest = await startRest();
    rest.misbehave({
      kind: 'rewrite',
      match: { path: '/oauth/introspect' },
      rewrite: (body) => ({ ...Object(body), exp }),
    });
    const findings = await check(rest, { env: APPLICATION });
    expect(findingOf(findings, 'token')?.message).toBe('accepted; it expires at no moment');
  });

  test.each([['all'], [[{ id: 1001 }]], [[null]]])(
    'whose administrations cannot be read is a fault of the answer: %o',
    async (administrations) => {
      const rest = await startRest();
      rest.misbehave({
        kind: 'rewrite',
        match: { path: '/oauth/introspect' },
        rewrite: (body) => ({ ...Object(body), administrations }),
      });
      const findings = await check(rest, { env: APPLICATION, administration: '1001' });
      expect(findingOf(findings, 'application')).toMatchObject({
        outcome: 'failed',
        message: expect.stringContaining('administrations without identifiers'),
      });
      expect(findingOf(findings, 'debtors')?.outcome).toBe('passed');
    },
  );

  test('cannot be checked where no list answers', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'status', status: 500, times: 4 });
    const findings = await check(rest, { administration: '1001' });
    expect(findingOf(findings, 'token')).toMatchObject({ outcome: 'skipped' });
    expect(findings.filter(({ outcome }) => outcome === 'failed')).toHaveLength(4);
  });

  test.each([
    ['', 'not given'],
    ['Bearer abc', 'a character that no token has'],
    ['abc\ndef', 'a character that no token has'],
    ['abcé', 'a character that no token has'],
  ])('is not sent as %j', (token, fault) => {
    const finding = checkTokenFormat(token);
    expect(finding).toMatchObject({ outcome: 'failed', message: expect.stringContaining(fault) });
    expect(JSON.stringify(finding)).not.toContain('abc');
  });
});

test.each([
  [
    { kind: 'hang' },
    'The REST service did not answer within 300 ms (REST_TIMEOUT_MS). (answer_timeout)',
    /REST_TIMEOUT_MS/,
  ],
  [
    { kind: 'status', status: 500 },
    'The REST service failed. (status_5xx, status 500)',
    /log of the service/,
  ],
  [{ kind: 'status', status: 404 }, 'Answered 404 on request. (unknown_path, status 404)', /REST_URL.*\/v1/],
] as const)(
  'a list that fails is told in the words of the log, with what to do: %j',
  async (fault, message, advice) => {
    const rest = await startRest();
    rest.misbehave({ ...fault, times: 10, match: { path: '/v1/debtors' } });
    const findings = await check(rest, { administration: '1001', env: { REST_TIMEOUT_MS: '300' } });
    expect(findingOf(findings, 'debtors')).toMatchObject({
      outcome: 'failed',
      message,
      advice: expect.stringMatching(advice),
    });
  },
);

test('what the service quotes of a secret is hidden', async () => {
  const rest = await startRest();
  const basic = Buffer.from(`${application.clientId}:${application.clientSecret}`).toString('base64');
  const secrets = [tokens.companyA, application.clientSecret, basic];
  const name = secrets.join(' ');
  rest.misbehave({
    kind: 'rewrite',
    match: { path: '/oauth/introspect' },
    rewrite: () => ({ active: true, company: { id: '1', name }, administrations: [{ id: '1001', name }] }),
  });
  rest.misbehave({
    kind: 'status',
    match: { path: '/v1/debtors' },
    status: 400,
    body: JSON.stringify({ code: 'x', message: name }),
  });
  const shown = JSON.stringify(await check(rest, { env: APPLICATION }));
  expect(shown).toContain('[secret] [secret] [secret]');
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
});
