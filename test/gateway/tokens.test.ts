import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { basicAuthorization } from '../../src/request/credentials.ts';
import { graphql } from '../generated/index.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, BASIC, BEARER, BOTH, startGateway, type TestGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';

const NOW = Date.UTC(2025, 6, 1, 12);
const { clientCredentialsApplication, tokens, refreshToken, accessToken } = demoCredentials;
const CLIENT = {
  authorization: basicAuthorization(
    clientCredentialsApplication.clientId,
    clientCredentialsApplication.clientSecret,
  ),
};

/** A fresh service for each test, since a refresh token works once. */
let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway({ rest: { now: () => NOW } });
});
afterEach(() => gateway.close());

const Refresh = graphql(`
  mutation Refresh($refreshToken: String!) {
    refreshAccessToken(input: { refreshToken: $refreshToken }) {
      token { accessToken tokenType scopes createdAt expiresIn expiresAt refreshToken }
    }
  }
`);

const refresh = (value: string, headers: Record<string, string> = BASIC) =>
  gateway.query(Refresh, { refreshToken: value }, headers);

const TOKEN_CALL = {
  call: 'POST /oauth/token',
  body: { grant_type: 'refresh_token', refresh_token: refreshToken },
};

describe('refreshAccessToken', () => {
  test('gives a new pair', async () => {
    const { data } = await refresh(refreshToken);
    expect(data.refreshAccessToken?.token).toEqual({
      accessToken: 'demo-access-token-2',
      tokenType: 'Bearer',
      scopes: expect.arrayContaining(['debtors:read', 'tasks:write']),
      createdAt: '2025-07-01T12:00:00Z',
      expiresIn: 7200,
      expiresAt: '2025-07-01T14:00:00Z',
      refreshToken: 'demo-refresh-token-2',
    });
    expect(gateway.calls()).toEqual([TOKEN_CALL]);
  });

  test('uses up the token: the next one works, the old one does not', async () => {
    const first = await refresh(refreshToken);
    const next = present(first.data.refreshAccessToken?.token.refreshToken);
    const again = await refresh(refreshToken);
    const second = await refresh(next);
    expect(again.errors).toMatchObject([
      {
        extensions: {
          code: 'BAD_USER_INPUT',
          upstream: { path: '/oauth/token', status: 400, code: 'invalid_grant' },
        },
      },
    ]);
    expect(second.data.refreshAccessToken?.token.refreshToken).toBe('demo-refresh-token-3');
    expect(gateway.calls()).toHaveLength(3);
  });

  test('is one call for two who refresh at the same time, and both get the same pair', async () => {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 150 });
    const [a, b] = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    expect(gateway.calls()).toEqual([TOKEN_CALL]);
    expect(a.data.refreshAccessToken?.token.accessToken).toBe('demo-access-token-2');
    expect(b.data).toEqual(a.data);
    expect([a.extensions.cost, b.extensions.cost]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ calls: 1, coalesced: 0 }),
        expect.objectContaining({ calls: 0, coalesced: 1 }),
      ]),
    );
  });

  test('is never shared between two applications', async () => {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 100, times: 2 });
    const [own, other] = await Promise.all([refresh(refreshToken), refresh(refreshToken, CLIENT)]);
    expect(own.errors).toBeUndefined();
    expect(codesOf(other)).toEqual(['BAD_USER_INPUT']);
    expect(gateway.calls()).toHaveLength(2);
  });

  test.each([
    ['a service that fails', { kind: 'status', status: 503 } as const, 'UPSTREAM_UNAVAILABLE'],
    ['a connection that breaks', { kind: 'reset' } as const, 'UPSTREAM_UNAVAILABLE'],
    ['half an answer', { kind: 'truncate' } as const, 'UPSTREAM_INVALID_RESPONSE'],
    ['an answer without a token', { kind: 'body', body: '{}' } as const, 'UPSTREAM_INVALID_RESPONSE'],
  ])('is never tried again after %s', async (_, fault, code) => {
    gateway.rest.misbehave(fault);
    expect(codesOf(await refresh(refreshToken))).toEqual([code]);
    expect(gateway.calls()).toHaveLength(1);
  });
});

test('createClientCredentialsToken gives a token that neither expires nor refreshes', async () => {
  const { data } = await gateway.query(
    'mutation { createClientCredentialsToken { token { accessToken tokenType createdAt expiresIn expiresAt refreshToken } } }',
    {},
    CLIENT,
  );
  expect(data).toEqual({
    createClientCredentialsToken: {
      token: {
        accessToken: 'demo-access-token-2',
        tokenType: 'Bearer',
        createdAt: '2025-07-01T12:00:00Z',
        expiresIn: null,
        expiresAt: null,
        refreshToken: null,
      },
    },
  });
  expect(gateway.calls()).toEqual([
    { call: 'POST /oauth/token', body: { grant_type: 'client_credentials' } },
  ]);
});

describe('introspectToken', () => {
  const document = `mutation ($token: String!) { introspectToken(input: { token: $token }) {
    active clientId company { internalId name } administrations { internalId name } tokenType issuedAt expiresAt
  } }`;

  test('tells what an active token reaches', async () => {
    const { data } = await gateway.query(document, { token: accessToken }, BASIC);
    expect(data).toEqual({
      introspectToken: {
        active: true,
        clientId: 'demo-application',
        company: { internalId: '101', name: 'Zorggroep Noord B.V.' },
        administrations: [
          { internalId: '1001', name: 'Zorggroep Noord: Facturatie' },
          { internalId: '1002', name: 'Zorggroep Noord: Praktijk Groningen' },
          { internalId: '1003', name: 'Odd cases (for testing clients)' },
        ],
        tokenType: 'Bearer',
        issuedAt: '2025-07-01T12:00:00Z',
        expiresAt: '2025-07-01T14:00:00Z',
      },
    });
    expect(gateway.calls()).toEqual([{ call: 'POST /oauth/introspect', body: { token: accessToken } }]);
    expect(gateway.rest.calls[0]?.url).toBe('/oauth/introspect');
  });

  test.each([
    ['unknown', 'nonsense', BASIC],
    ["another application's", tokens.companyA, CLIENT],
  ])('answers for a token that is %s, without an error', async (_, token, headers) => {
    const { data, errors } = await gateway.query(document, { token }, headers);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      introspectToken: {
        active: false,
        clientId: null,
        company: null,
        administrations: null,
        tokenType: null,
        issuedAt: null,
        expiresAt: null,
      },
    });
    expect(gateway.calls()).toHaveLength(1);
  });
});

describe('viewer', () => {
  const viewer = 'viewer { company { internalId name } administrations { internalId name } scopes clientId }';

  test("introspects the caller's own token, once however often it is asked", async () => {
    const { data } = await gateway.query(`{ ${viewer} again: viewer { clientId expiresAt } }`);
    expect(data).toEqual({
      viewer: {
        company: { internalId: '101', name: 'Zorggroep Noord B.V.' },
        administrations: [
          { internalId: '1001', name: 'Zorggroep Noord: Facturatie' },
          { internalId: '1002', name: 'Zorggroep Noord: Praktijk Groningen' },
          { internalId: '1003', name: 'Odd cases (for testing clients)' },
        ],
        scopes: expect.arrayContaining(['debtors:read']),
        clientId: 'demo-application',
      },
      again: { clientId: 'demo-application', expiresAt: null },
    });
    expect(gateway.calls()).toEqual([{ call: 'POST /oauth/introspect', body: { token: tokens.companyA } }]);
  });

  test('leads to the lists of each administration', async () => {
    const { data } = await gateway.query(
      '{ viewer { administrations { name debtors(first: 1) { nodes { administrationId } } } } }',
    );
    expect(data).toMatchObject({
      viewer: {
        administrations: [
          { debtors: { nodes: [{ administrationId: ADMINISTRATION }] } },
          { debtors: { nodes: [{ administrationId: '1002' }] } },
          { debtors: { nodes: [{ administrationId: '1003' }] } },
        ],
      },
    });
    expect(gateway.calls().map(({ call }) => call)).toEqual([
      'POST /oauth/introspect',
      'GET /v1/debtors',
      'GET /v1/debtors',
      'GET /v1/debtors',
    ]);
  });

  test.each([
    ['unknown', { authorization: 'Bearer nonsense' }],
    ["another application's", { ...BEARER, 'x-client-authorization': CLIENT.authorization }],
  ])('fails for a token that is %s', async (_, headers) => {
    const answer = await gateway.query(`{ ${viewer} }`, {}, headers);
    expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
    expect(answer.data).toEqual({ viewer: null });
    expect(gateway.calls()).toHaveLength(1);
  });

  test("takes the caller's own application before the gateway's", async () => {
    await gateway.query(`{ ${viewer} }`, {}, { ...BOTH, 'x-client-authorization': CLIENT.authorization });
    expect(gateway.rest.calls.map(({ headers }) => headers.authorization)).toEqual([CLIENT.authorization]);
  });
});

/** A member of an answer as the service should not send it: null with an error, and all beside it survives. */
describe('a member of the wrong type', () => {
  const change = (members: object) =>
    gateway.rest.misbehave({ kind: 'rewrite', rewrite: (body) => ({ ...Object(body), ...members }) });
  const failing = (...path: string[]) => ({ path, extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } });

  const SOUND_TOKEN = {
    accessToken: 'demo-access-token-2',
    tokenType: 'Bearer',
    scopes: expect.arrayContaining(['debtors:read']),
    createdAt: '2025-07-01T12:00:00Z',
    expiresIn: 7200,
    expiresAt: '2025-07-01T14:00:00Z',
    refreshToken: 'demo-refresh-token-2',
  };

  test.each<[object, string[]]>([
    [{ expires_in: '7200' }, ['expiresIn', 'expiresAt']],
    [{ expires_in: 7200.5 }, ['expiresIn', 'expiresAt']],
    [{ expires_in: false }, ['expiresIn', 'expiresAt']],
    [{ created_at: '1751371200' }, ['createdAt', 'expiresAt']],
    [{ created_at: 1e300 }, ['createdAt', 'expiresAt']],
    [{ created_at: 1e13 }, ['createdAt', 'expiresAt']],
    [{ refresh_token: 5 }, ['refreshToken']],
    [{ refresh_token: {} }, ['refreshToken']],
    [{ token_type: ['Bearer'] }, ['tokenType']],
    [{ scope: ['debtors:read'] }, ['scopes']],
    [{ scope: 0 }, ['scopes']],
  ])('of a new token spoils itself alone: %o', async (members, broken) => {
    change(members);
    const { data, errors } = await refresh(refreshToken);
    expect(data.refreshAccessToken?.token).toEqual({
      ...SOUND_TOKEN,
      ...Object.fromEntries(broken.map((name) => [name, null])),
    });
    expect(errors).toMatchObject(broken.map((name) => failing('refreshAccessToken', 'token', name)));
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each([null, undefined])('is not what is absent from a new token: %s', async (absent) => {
    change({
      expires_in: absent,
      created_at: absent,
      refresh_token: absent,
      token_type: absent,
      scope: absent,
    });
    const { data, errors } = await refresh(refreshToken);
    expect(errors).toBeUndefined();
    expect(data.refreshAccessToken?.token).toEqual({
      accessToken: 'demo-access-token-2',
      tokenType: null,
      scopes: null,
      createdAt: null,
      expiresIn: null,
      expiresAt: null,
      refreshToken: null,
    });
  });

  const MEMBERS =
    'clientId company { internalId name } administrations { internalId name } scopes tokenType issuedAt expiresAt';
  const SOUND_INTROSPECTION = {
    active: true,
    clientId: 'demo-application',
    company: { internalId: '101', name: 'Zorggroep Noord B.V.' },
    administrations: [
      { internalId: '1001', name: 'Zorggroep Noord: Facturatie' },
      { internalId: '1002', name: 'Zorggroep Noord: Praktijk Groningen' },
      { internalId: '1003', name: 'Odd cases (for testing clients)' },
    ],
    scopes: expect.arrayContaining(['debtors:read']),
    tokenType: 'Bearer',
    issuedAt: '2025-07-01T12:00:00Z',
    expiresAt: '2025-07-01T14:00:00Z',
  };
  const introspection = (members = MEMBERS) =>
    gateway.query(
      `mutation { introspectToken(input: { token: "${accessToken}" }) { active ${members} } }`,
      {},
      BASIC,
    );

  test.each<[object, string, string[]]>([
    [{ exp: '1751378400' }, 'expiresAt', []],
    [{ exp: 1751378400.5 }, 'expiresAt', []],
    [{ exp: 1e300 }, 'expiresAt', []],
    [{ exp: 1e13 }, 'expiresAt', []],
    [{ iat: true }, 'issuedAt', []],
    [{ client_id: 7 }, 'clientId', []],
    [{ token_type: 7 }, 'tokenType', []],
    [{ scope: ['a'] }, 'scopes', []],
    [{ company: { id: 5, name: 'C' } }, 'company', ['internalId']],
    [{ company: { name: 'C' } }, 'company', ['internalId']],
    [{ company: 'C' }, 'company', []],
    [{ company: ['C'] }, 'company', []],
    [{ administrations: 'all' }, 'administrations', []],
    [{ administrations: { id: '1001' } }, 'administrations', []],
    [{ administrations: [{ id: '1001' }, { id: 1002 }] }, 'administrations', []],
    [{ administrations: [{ id: '1001' }, null] }, 'administrations', []],
  ])('of an introspection spoils itself alone: %o', async (members, broken, inside) => {
    change(members);
    const answer = await introspection();
    expect(answer.data).toEqual({ introspectToken: { ...SOUND_INTROSPECTION, [broken]: null } });
    expect(answer.errors).toMatchObject([failing('introspectToken', broken, ...inside)]);
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each([null, undefined])('is not what is absent from an introspection: %s', async (absent) => {
    change({
      exp: absent,
      iat: absent,
      client_id: absent,
      token_type: absent,
      scope: absent,
      company: absent,
      administrations: absent,
    });
    const answer = await introspection();
    expect(answer.errors).toBeUndefined();
    expect(answer.data).toEqual({
      introspectToken: {
        ...Object.fromEntries(Object.keys(SOUND_INTROSPECTION).map((name) => [name, null])),
        active: true,
      },
    });
  });

  test('of one administration leads to no REST call without its id', async () => {
    change({ administrations: [{ id: 1001 }] });
    const answer = await introspection('administrations { debtors { nodes { name } } }');
    expect(answer.data).toEqual({ introspectToken: { active: true, administrations: null } });
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(gateway.calls()).toHaveLength(1);
  });

  test.each<[string, object, object | null]>([
    ['expiresAt', { exp: '1' }, { clientId: 'demo-application', expiresAt: null }],
    ['company { name }', { company: 5 }, { clientId: 'demo-application', company: null }],
    // These may not be null, so their parent is.
    ['scopes', { scope: 5 }, null],
    ['administrations { name }', { administrations: [{ id: 5 }] }, null],
  ])('of the viewer ends at the nearest that may be null: %s', async (field, members, viewer) => {
    change(members);
    const answer = await gateway.query(`{ viewer { clientId ${field} } }`);
    expect(answer.data).toEqual({ viewer });
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
  });
});
