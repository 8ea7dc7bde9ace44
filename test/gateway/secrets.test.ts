import { describe, expect, onTestFinished, test } from 'vitest';
import { demoCredentials } from '../../src/demo/credentials.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, BASIC, BEARER, BOTH, startGateway, useGateway } from '../support/gateway.ts';

const gateway = await useGateway();
const { tokens, application, refreshToken } = demoCredentials;

const BASE64 = BASIC.authorization.replace('Basic ', '');
const SECRETS = [tokens.companyA, application.clientSecret, BASE64, refreshToken];

const DEBTORS = `{ debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { id } } }`;
const COMPANIES = '{ companies { nodes { id } } }';
const VIEWER = '{ viewer { clientId } }';
const introspectMutation = (token: string) =>
  `mutation ($token: String = "${token}") { introspectToken(input: { token: $token }) { active } }`;
const refreshMutation = `mutation ($token: String = "${refreshToken}") {
  refreshAccessToken(input: { refreshToken: $token }) { token { tokenType } }
}`;

describe('with X-Explain', () => {
  test.each([
    [DEBTORS, 'GET', '/v1/debtors'],
    [COMPANIES, 'GET', '/v1/companies'],
    [VIEWER, 'POST', '/oauth/introspect'],
    [introspectMutation(tokens.companyA), 'POST', '/oauth/introspect'],
    [refreshMutation, 'POST', '/oauth/token'],
  ])('%s shows its call, and no credential', async (document, method, path) => {
    const { text, extensions } = await gateway.query(document, {}, { ...BOTH, 'x-explain': 'true' });
    expect(extensions.explain).toMatchObject([{ method, path, status: 200, source: 'network' }]);
    for (const secret of SECRETS) expect(text).not.toContain(secret);
  });
});

describe('a service that quotes a secret in its refusal', () => {
  test.each([400, 401, 403, 404, 409, 422, 429])('is not repeated, for a status of %i', async (status) => {
    const body = JSON.stringify({
      code: `bad ${tokens.companyA}`,
      message: `The token ${tokens.companyA} is bad.`,
    });
    gateway.rest.misbehave({ kind: 'status', status, body });
    const { text, errors } = await gateway.query(DEBTORS, {}, { ...BEARER, 'x-explain': 'true' });
    expect(errors).toMatchObject([
      { extensions: { upstream: { status, message: 'The token [secret] is bad.' } } },
    ]);
    expect(text).not.toContain(tokens.companyA);
  });

  test.each<[string, string, string, Record<string, string>]>([
    ['the whole header', DEBTORS, BEARER.authorization, BEARER],
    [
      'a token that came after two spaces',
      DEBTORS,
      tokens.companyA,
      { authorization: `Bearer  ${tokens.companyA}` },
    ],
    ['a Basic credential', COMPANIES, BASE64, BASIC],
    ['the client secret inside a Basic credential', COMPANIES, application.clientSecret, BASIC],
    ["the caller's token that viewer introspects", VIEWER, tokens.companyA, BEARER],
    ["the gateway's own secret", VIEWER, application.clientSecret, BEARER],
    ['the token that is introspected', introspectMutation(tokens.companyB), tokens.companyB, BASIC],
    ['the refresh token', refreshMutation, refreshToken, BASIC],
  ])('is not repeated: %s', async (_, document, secret, headers) => {
    const body = JSON.stringify({ code: 'bad_request', message: `Cannot use "${secret}" here.` });
    gateway.rest.misbehave({ kind: 'status', status: 400, body });
    const answer = await gateway.query(document, {}, { ...headers, 'x-explain': 'true' });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(answer.text).toContain('Cannot use');
    expect(answer.text).not.toContain(secret);
    expect(gateway.calls()).toHaveLength(1);
  });

  test('is not quoted at all when it fails with a 5xx', async () => {
    const body = JSON.stringify({ code: 'oops', message: `At 10.0.0.1 with ${tokens.companyA}` });
    gateway.rest.misbehave({ kind: 'status', status: 500, body, times: 5 });
    const { text, errors } = await gateway.query(DEBTORS);
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    expect(errors?.[0]?.extensions.upstream).toEqual({ method: 'GET', path: '/v1/debtors', status: 500 });
    for (const inside of ['oops', '10.0.0.1', tokens.companyA, gateway.rest.url])
      expect(text).not.toContain(inside);
  });
});

test('viewer says what to set where no application is known, and takes what the caller brings', async () => {
  const bare = await startGateway({ withoutApplication: true });
  onTestFinished(() => bare.close());
  expect(await bare.query(VIEWER, {}, BEARER)).toMatchObject({
    errors: [{ message: expect.stringContaining('REST_CLIENT_ID'), extensions: { code: 'NOT_CONFIGURED' } }],
  });
  expect(bare.rest.calls).toEqual([]);
  expect(await bare.query(VIEWER, {}, BOTH)).toMatchObject({
    data: { viewer: { clientId: application.clientId } },
  });
  expect(bare.rest.calls).toHaveLength(1);
});
