import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { codesOf } from '../support/answers.ts';
import {
  ADMINISTRATION,
  BASIC,
  BEARER,
  BOTH,
  freshGateway,
  type QueryResult,
  type TestGateway,
  useGateway,
} from '../support/gateway.ts';
import { present } from '../support/present.ts';
import type { Fault } from '../support/rest-service.mjs';
import { times } from '../support/times.ts';

const NOW = Date.UTC(2025, 6, 1, 12);
const { clientCredentialsApplication, tokens, refreshToken, accessToken } = demoCredentials;
const { clientId, clientSecret } = clientCredentialsApplication;
const CLIENT = { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
const INVALID = 'UPSTREAM_INVALID_RESPONSE';

const options = { rest: { now: () => NOW } };
const gateway = await useGateway(options);

interface Refreshed {
  readonly refreshAccessToken: { readonly token: { readonly [field: string]: unknown } } | null;
}
const TOKEN = 'token { accessToken tokenType scopes createdAt expiresIn expiresAt refreshToken }';
const refresh = (at: TestGateway, token: string, headers: Record<string, string> = BASIC) =>
  at.query<Refreshed>(
    `mutation ($token: String!) { refreshAccessToken(input: { refreshToken: $token }) { ${TOKEN} } }`,
    { token },
    headers,
  );
/** A fresh service, since a refresh token works once. */
const freshService = () => freshGateway(options);
const tokenIn = ({ data }: QueryResult<Refreshed>) => present(data.refreshAccessToken).token;
const change = (members: object): Fault => ({
  kind: 'rewrite',
  rewrite: (body) => ({ ...Object(body), ...members }),
});

const TOKEN_CALL = {
  call: 'POST /oauth/token',
  body: { grant_type: 'refresh_token', refresh_token: refreshToken },
};
const SOUND_TOKEN = {
  accessToken: 'demo-access-token-2',
  tokenType: 'Bearer',
  scopes: expect.arrayContaining(['debtors:read', 'tasks:write']),
  createdAt: '2025-07-01T12:00:00Z',
  expiresIn: 7200,
  expiresAt: '2025-07-01T14:00:00Z',
  refreshToken: 'demo-refresh-token-2',
};

describe('refreshAccessToken', () => {
  test('returns a new pair and uses up the token', async () => {
    const fresh = await freshService();
    expect(tokenIn(await refresh(fresh, refreshToken))).toEqual(SOUND_TOKEN);
    expect(fresh.calls()).toEqual([TOKEN_CALL]);
    const upstream = { path: '/oauth/token', status: 400, code: 'invalid_grant' };
    expect((await refresh(fresh, refreshToken)).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', upstream } },
    ]);
    const next = tokenIn(await refresh(fresh, SOUND_TOKEN.refreshToken));
    expect(next.refreshToken).toBe('demo-refresh-token-3');
  });

  test('is one call for two equal requests at the same time, and both get the same pair', async () => {
    const fresh = await freshService();
    fresh.rest.misbehave({ kind: 'delay', milliseconds: 150 });
    const [a, b] = await Promise.all([refresh(fresh, refreshToken), refresh(fresh, refreshToken)]);
    expect(fresh.calls()).toEqual([TOKEN_CALL]);
    expect([tokenIn(a), tokenIn(b)]).toEqual([SOUND_TOKEN, SOUND_TOKEN]);
    expect([a, b].map(({ extensions: { cost } }) => cost)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ calls: 1, coalesced: 0 }),
        expect.objectContaining({ calls: 0, coalesced: 1 }),
      ]),
    );
  });

  test('is not shared between two applications', async () => {
    const fresh = await freshService();
    fresh.rest.misbehave({ kind: 'delay', milliseconds: 100, times: 2 });
    const asked = [refresh(fresh, refreshToken), refresh(fresh, refreshToken, CLIENT)];
    expect((await Promise.all(asked)).map(codesOf)).toEqual([[], ['BAD_USER_INPUT']]);
    expect(fresh.calls()).toHaveLength(2);
  });
});

const create = () =>
  gateway.query<{ create: { token: object } }>(
    `mutation { create: createClientCredentialsToken { ${TOKEN} } }`,
    {},
    CLIENT,
  );
const LASTING = {
  ...SOUND_TOKEN,
  accessToken: expect.any(String),
  scopes: expect.any(Array),
  expiresIn: null,
  expiresAt: null,
  refreshToken: null,
};

test('createClientCredentialsToken returns a token without expiry and refresh token', async () => {
  expect((await create()).data).toEqual({ create: { token: LASTING } });
  const body = { grant_type: 'client_credentials' };
  expect(gateway.calls()).toEqual([{ call: 'POST /oauth/token', body }]);
});

const REACH = {
  clientId: 'demo-application',
  company: { internalId: '101', name: 'Zorggroep Noord B.V.' },
  administrations: [
    { internalId: '1001', name: 'Zorggroep Noord: Facturatie' },
    { internalId: '1002', name: 'Zorggroep Noord: Praktijk Groningen' },
    { internalId: '1003', name: 'Odd cases (for testing clients)' },
  ],
  scopes: expect.arrayContaining(['debtors:read']),
};
const MEMBERS = 'clientId company { internalId name } administrations { internalId name } scopes';

describe('introspectToken', () => {
  const introspect = (token: string, headers = BASIC, members = `${MEMBERS} tokenType issuedAt expiresAt`) =>
    gateway.query(
      `mutation ($token: String!) { introspectToken(input: { token: $token }) { active ${members} } }`,
      { token },
      headers,
    );
  const SOUND = {
    active: true,
    ...REACH,
    tokenType: 'Bearer',
    issuedAt: '2025-07-01T12:00:00Z',
    expiresAt: '2025-07-01T14:00:00Z',
  };
  const NOTHING = Object.fromEntries(Object.keys(SOUND).map((name) => [name, null]));

  test('returns what an active token reaches', async () => {
    expect((await introspect(accessToken)).data).toEqual({ introspectToken: SOUND });
    expect(gateway.calls()).toEqual([{ call: 'POST /oauth/introspect', body: { token: accessToken } }]);
  });

  test.each([
    ['unknown', 'nonsense', BASIC],
    ["another application's", tokens.companyA, CLIENT],
  ])('returns only `active: false` for a token that is %s', async (_, token, headers) => {
    const { data, errors } = await introspect(token, headers);
    expect(errors).toBeUndefined();
    expect(data).toEqual({ introspectToken: { ...NOTHING, active: false } });
  });

  test.each<[object, string, string[]]>([
    [{ exp: '1751378400' }, 'expiresAt', []],
    [{ scope: ['a'] }, 'scopes', []],
    [{ company: { name: 'C' } }, 'company', ['internalId']],
    [{ administrations: [{ id: '1001' }, { id: 1002 }] }, 'administrations', []],
  ])('makes only a member of the wrong type null: %o', async (members, broken, inside) => {
    gateway.rest.misbehave(change(members));
    const answer = await introspect(accessToken);
    expect(answer.data).toEqual({ introspectToken: { ...SOUND, [broken]: null } });
    expect(answer.errors).toMatchObject([
      { path: ['introspectToken', broken, ...inside], extensions: { code: INVALID } },
    ]);
  });
});

describe('viewer', () => {
  test('introspects the token of the caller once per operation', async () => {
    const { data } = await gateway.query(`{ viewer { ${MEMBERS} } again: viewer { clientId expiresAt } }`);
    expect(data).toEqual({ viewer: REACH, again: { clientId: 'demo-application', expiresAt: null } });
    expect(gateway.calls()).toEqual([{ call: 'POST /oauth/introspect', body: { token: tokens.companyA } }]);
  });

  test.each([
    ['unknown', { authorization: 'Bearer nonsense' }, BASIC],
    ["another application's", { ...BEARER, 'x-client-authorization': CLIENT.authorization }, CLIENT],
  ])('fails for a token that is %s', async (_, headers, { authorization }) => {
    const answer = await gateway.query(`{ viewer { ${MEMBERS} } }`, {}, headers);
    expect([answer.data, codesOf(answer)]).toEqual([{ viewer: null }, ['UNAUTHENTICATED']]);
    // The caller's own application comes before that of the gateway.
    expect(gateway.rest.calls.map((call) => call.headers.authorization)).toEqual([authorization]);
  });
});

/** A refresh token works once, so an issued one that is missing in the answer is lost for good. */
describe('a new token is returned', () => {
  const refreshField = (token: string) =>
    `refreshAccessToken(input: { refreshToken: "${token}" }) { ${TOKEN} }`;
  const MESSAGES = `updateMessages(input: { administrationId: "${ADMINISTRATION}", messages: [{ id: "1", read: true }] }) {
    success count errors { recordId messages } }`;
  const OTHERS = `
    introspectToken(input: { token: "x" }) { active scopes company { name } }
    unmarkTaskCompleted(input: { taskId: "400001" }) { task { id comments { id } } }
    ${MESSAGES}`;
  const ODD = { active: 'yes', id: 5, success: 'yes', count: -1, errors: ['boom'], scope: 5, company: 7 };

  test.each<[string, Fault]>([
    ['the status 503', { kind: 'status', status: 503 }],
    ['a connection that breaks', { kind: 'reset' }],
    ['an incomplete response', { kind: 'truncate' }],
    ['members of other types', change(ODD)],
  ])('even if the fields before and after it fail by %s', async (_what, fault) => {
    const { rest, query } = await freshGateway();
    rest.misbehave({ ...fault, times: 9, match: { path: /introspect|tasks|messages/ } });
    rest.misbehave({ ...change({ access_token: 5, expires_in: 'long' }), match: { path: /oauth.token/ } });
    const again = OTHERS.replace(/\w+\(/g, (field) => `again_${field.slice(0, 3)}: ${field}`);
    const answer = await query<Refreshed>(
      `mutation { ${OTHERS} ${refreshField(refreshToken)} ${again} }`,
      {},
      BOTH,
    );
    expect(tokenIn(answer)).toMatchObject({ accessToken: null, refreshToken: 'demo-refresh-token-2' });
  });

  const DEBTORS = `introspectToken(input: { token: "${accessToken}" }) {
    administrations { debtors(first: 100) { nodes { id name postalAddress { city } } } } }`;

  test.each([
    ['too much text', { maxAnswerBytes: 3_000 }, DEBTORS],
    ['too many values', { maxValues: 350 }, MESSAGES],
  ])('even if the fields around it have %s', async (_, limits, field) => {
    const { query, rest } = await freshGateway({ gateway: limits });
    const errors = Object.fromEntries(times(400, (index) => [`record${index}`, ['a']]));
    rest.misbehave({ ...change({ errors }), times: 2, match: { path: '/v1/messages' } });
    const answer = await query(
      `mutation { a: ${field} b: ${refreshField(refreshToken)} c: ${field} }`,
      {},
      BOTH,
    );
    expect(answer.data).toMatchObject({
      a: null,
      b: { token: { refreshToken: 'demo-refresh-token-2' } },
      c: null,
    });
    expect(answer.errors).toMatchObject(
      ['a', 'c'].map((key) => ({ path: [key], extensions: { code: 'OPERATION_TOO_EXPENSIVE' } })),
    );
    expect(answer.errors?.[0]?.message).toContain('Do not send it again');
  });
});
