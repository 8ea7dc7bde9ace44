import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, BASIC, BEARER, BOTH, OTHER_BEARER, useGateway } from '../support/gateway.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();
const { tokens } = demoCredentials;

const IN = `administrationId: "${ADMINISTRATION}"`;
const BEARER_OPERATIONS = [
  `{ debtors(${IN}, first: 1) { nodes { id } } }`,
  `{ debtor(${IN}, by: { id: "1" }) { id } }`,
  `{ declarationLines(${IN}, first: 1) { nodes { id } } }`,
  `{ declarationLine(${IN}, id: "1") { id } }`,
  `{ deletedCreditCases(${IN}, first: 1) { nodes { id } } }`,
  `{ deletedPayments(${IN}, first: 1) { nodes { id } } }`,
  `{ administration(id: "${ADMINISTRATION}") { debtors(first: 1) { nodes { id } } } }`,
  `mutation { updateMessages(input: { ${IN}, messages: [{ id: "1", read: true }] }) { count } }`,
  'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { id } } }',
];
const BASIC_OPERATIONS = [
  '{ companies(first: 1) { nodes { id } } }',
  'mutation { introspectToken(input: { token: "x" }) { active } }',
  'mutation { refreshAccessToken(input: { refreshToken: "x" }) { token { accessToken } } }',
  'mutation { createClientCredentialsToken { token { accessToken } } }',
];

/** The credentials that arrived, with the path that each came to. */
function sent(): Record<string, string | undefined> {
  return Object.fromEntries(gateway.rest.calls.map(({ path, headers }) => [path, headers.authorization]));
}

function sentCredentials(): (string | undefined)[] {
  return gateway.rest.calls.map(({ headers }) => headers.authorization);
}

describe.each(BEARER_OPERATIONS)('%s', (document) => {
  test("is called as the caller of the bearer token, and with nobody else's credential", async () => {
    await gateway.query(document, {}, OTHER_BEARER);
    await gateway.query(document, {}, BOTH);
    expect(sentCredentials()).toEqual([OTHER_BEARER.authorization, BEARER.authorization]);
    for (const { headers } of gateway.rest.calls)
      expect(headers).not.toHaveProperty('x-client-authorization');
  });

  test.each([
    ['no credential', {}],
    ['Basic alone', BASIC],
    ['Basic beside it alone', { 'x-client-authorization': BASIC.authorization }],
    ['a bearer token in the place of Basic', { 'x-client-authorization': BEARER.authorization }],
    ['a scheme without a token', { authorization: 'Bearer' }],
    ['a token without a scheme', { authorization: tokens.companyA }],
    ['another scheme', { authorization: `Digest ${tokens.companyA}` }],
  ])('is refused without a call for %s', async (_, headers) => {
    expectRefused(gateway, await gateway.query(document, {}, headers), 'UNAUTHENTICATED');
  });
});

describe.each(BASIC_OPERATIONS)('%s', (document) => {
  test('is called as the application of the Basic credential, from either header', async () => {
    await gateway.query(document, {}, BASIC);
    await gateway.query(document, {}, BOTH);
    await gateway.query(document, {}, { ...BASIC, 'x-client-authorization': 'Basic b3RoZXI6eA==' });
    expect(sentCredentials()).toEqual([BASIC.authorization, BASIC.authorization, 'Basic b3RoZXI6eA==']);
  });

  test.each([
    ['no credential', {}],
    ['a bearer token, though the gateway has an application of its own', BEARER],
    ['a bearer token in both places', { ...BEARER, 'x-client-authorization': BEARER.authorization }],
  ])('is refused without a call for %s', async (_, headers) => {
    expectRefused(gateway, await gateway.query(document, {}, headers), 'UNAUTHENTICATED');
  });
});

describe('one operation with both credentials', () => {
  test('sends each to its own endpoints', async () => {
    const { errors } = await gateway.query(
      `{ debtors(${IN}, first: 1) { nodes { id } } companies { nodes { id } } viewer { clientId } }`,
      {},
      BOTH,
    );
    expect(errors).toBeUndefined();
    expect(sent()).toEqual({
      '/v1/debtors': BEARER.authorization,
      '/v1/companies': BASIC.authorization,
      '/oauth/introspect': BASIC.authorization,
    });
    expect(gateway.calls()).toHaveLength(3);
  });

  test('still answers what the one allows, when the other is missing', async () => {
    const document = `{ debtor(${IN}, by: { id: "300001" }) { name } companies(first: 1) { nodes { name } } }`;
    const { data, errors } = await gateway.query(document, {}, BASIC);
    expect(data).toEqual({ debtor: null, companies: { nodes: [{ name: 'Zorggroep Noord B.V.' }] } });
    expect(errors).toMatchObject([{ path: ['debtor'], extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(sent()).toEqual({ '/v1/companies': BASIC.authorization });
  });

  test('takes the scheme in any case', async () => {
    const headers = {
      authorization: `bearer ${tokens.companyA}`,
      'x-client-authorization': BASIC.authorization.replace('Basic', 'BASIC'),
    };
    const { errors } = await gateway.query(
      `{ debtors(${IN}, first: 1) { nodes { id } } companies { nodes { id } } }`,
      {},
      headers,
    );
    expect(errors).toBeUndefined();
  });
});

describe("the gateway's own application", () => {
  test("introspects the caller's token for viewer", async () => {
    const { errors } = await gateway.query('{ viewer { clientId } }');
    expect(errors).toBeUndefined();
    expect(gateway.calls()).toEqual([{ call: 'POST /oauth/introspect', body: { token: tokens.companyA } }]);
    expect(sentCredentials()).toEqual([BASIC.authorization]);
  });

  test.each([{}, BASIC])('is not asked who calls, without a bearer token', async (headers) => {
    expectRefused(gateway, await gateway.query('{ viewer { clientId } }', {}, headers), 'UNAUTHENTICATED');
  });
});

describe('a credential that REST refuses', () => {
  test.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
  ])('with %i is sent once', async (status, code) => {
    for (const document of [...BEARER_OPERATIONS, ...BASIC_OPERATIONS]) {
      gateway.rest.behave();
      gateway.rest.calls.length = 0;
      gateway.rest.misbehave({ kind: 'status', status, times: 5 });
      const answer = await gateway.query(document, {}, BOTH);
      expect(answer.errors).toMatchObject([{ extensions: { code, upstream: { status } } }]);
      expect(gateway.calls()).toHaveLength(1);
    }
  });

  test('is told apart: unknown, or without the permission', async () => {
    const unknown = await gateway.query(BEARER_OPERATIONS[0] ?? '', {}, { authorization: 'Bearer nonsense' });
    const lacking = await gateway.query(
      BEARER_OPERATIONS[5] ?? '',
      {},
      { authorization: `Bearer ${tokens.readOnlyDebtors}` },
    );
    expect(codesOf(unknown)).toEqual(['UNAUTHENTICATED']);
    expect(lacking.errors).toMatchObject([
      {
        extensions: {
          code: 'FORBIDDEN',
          upstream: { method: 'GET', path: '/v1/payments/deleted', status: 403, code: 'forbidden' },
        },
      },
    ]);
    expect(gateway.calls()).toHaveLength(2);
  });

  test('because of an address that is not allowed is revoked by the one call that was made', async () => {
    const headers = { authorization: `Bearer ${tokens.restricted}` };
    const first = await gateway.query(BEARER_OPERATIONS[0] ?? '', {}, headers);
    expect(codesOf(first)).toEqual(['FORBIDDEN']);
    expect(gateway.calls()).toHaveLength(1);
    const second = await gateway.query(BEARER_OPERATIONS[0] ?? '', {}, headers);
    expect(codesOf(second)).toEqual(['UNAUTHENTICATED']);
    expect(gateway.calls()).toHaveLength(2);
  });
});

test('no operation needs a credential to read the schema', async () => {
  const { data, errors } = await gateway.query('{ __schema { queryType { name } } __typename }', {}, {});
  expect(errors).toBeUndefined();
  expect(data).toEqual({ __schema: { queryType: { name: 'Query' } }, __typename: 'Query' });
  expect(gateway.calls()).toEqual([]);
});
