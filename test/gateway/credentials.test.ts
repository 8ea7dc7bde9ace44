import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { codesOf } from '../support/answers.ts';
import {
  ADMINISTRATION,
  BASIC,
  BEARER,
  BOTH,
  freshGateway,
  OTHER_BEARER,
  useGateway,
} from '../support/gateway.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();
const caching = await useGateway({ gateway: { cacheTtlMs: 60_000 } });
const { tokens } = demoCredentials;

const IN = `administrationId: "${ADMINISTRATION}"`;
const DEBTORS = `{ debtors(${IN}, first: 2) { nodes { name } } }`;
const COMPANIES = '{ companies(first: 2) { nodes { name } } }';
const VIEWER = '{ viewer { clientId } }';
const PAYMENTS = `{ deletedPayments(${IN}, first: 1) { nodes { id } } }`;
const BEARER_OPERATIONS = [
  DEBTORS,
  `{ debtor(${IN}, by: { id: "1" }) { id } }`,
  `{ declarationLines(${IN}, first: 1) { nodes { id } } }`,
  `{ declarationLine(${IN}, id: "1") { id } }`,
  `{ deletedCreditCases(${IN}, first: 1) { nodes { id } } }`,
  PAYMENTS,
  `{ administration(id: "${ADMINISTRATION}") { debtors(first: 1) { nodes { id } } } }`,
  `mutation { updateMessages(input: { ${IN}, messages: [{ id: "1", read: true }] }) { count } }`,
  'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { id } } }',
];
const BASIC_OPERATIONS = [
  COMPANIES,
  'mutation { introspectToken(input: { token: "x" }) { active } }',
  'mutation { refreshAccessToken(input: { refreshToken: "x" }) { token { accessToken } } }',
  'mutation { createClientCredentialsToken { token { accessToken } } }',
];

const sentBy = ({ rest }: typeof gateway) => rest.calls.map(({ headers }) => headers.authorization);

test.each(BEARER_OPERATIONS)('%s is sent only with the bearer token of its caller', async (document) => {
  for (const headers of [{}, BASIC])
    expectRefused(gateway, await gateway.query(document, {}, headers), 'UNAUTHENTICATED');
  await gateway.query(document, {}, OTHER_BEARER);
  await gateway.query(document, {}, BOTH);
  expect(sentBy(gateway)).toEqual([OTHER_BEARER.authorization, BEARER.authorization]);
  for (const { headers } of gateway.rest.calls) expect(headers).not.toHaveProperty('x-client-authorization');
});

test.each(BASIC_OPERATIONS)('%s is sent with the Basic credential of either header', async (document) => {
  // Though the gateway has an application of its own.
  for (const headers of [{}, BEARER])
    expectRefused(gateway, await gateway.query(document, {}, headers), 'UNAUTHENTICATED');
  await gateway.query(document, {}, BASIC);
  await gateway.query(document, {}, BOTH);
  await gateway.query(document, {}, { ...BASIC, 'x-client-authorization': 'Basic b3RoZXI6eA==' });
  expect(sentBy(gateway)).toEqual([BASIC.authorization, BASIC.authorization, 'Basic b3RoZXI6eA==']);
});

test.each<[string, string, Record<string, string>]>([
  ['only X-Client-Authorization', DEBTORS, { 'x-client-authorization': BASIC.authorization }],
  ['a bearer token in X-Client-Authorization', DEBTORS, { 'x-client-authorization': BEARER.authorization }],
  ['a scheme without a token', DEBTORS, { authorization: 'Bearer' }],
  ['a token without a scheme', DEBTORS, { authorization: tokens.companyA }],
  ['another scheme', DEBTORS, { authorization: `Digest ${tokens.companyA}` }],
  ['two bearer tokens', COMPANIES, { ...BEARER, 'x-client-authorization': BEARER.authorization }],
  ['viewer without a bearer token', VIEWER, {}],
  ['viewer with an application instead of a bearer token', VIEWER, BASIC],
])('%s fails with UNAUTHENTICATED without a call', async (_what, document, headers) => {
  expectRefused(gateway, await gateway.query(document, {}, headers), 'UNAUTHENTICATED');
});

test('the schema can be read without a credential', async () => {
  const { data } = await gateway.query('{ __schema { queryType { name } } __typename }', {}, {});
  expect(data).toEqual({ __schema: { queryType: { name: 'Query' } }, __typename: 'Query' });
});

test('an operation without one of its credentials returns the fields for the other one', async () => {
  const document = `{ debtor(${IN}, by: { id: "300001" }) { name } companies(first: 1) { nodes { name } } }`;
  const { data, errors } = await gateway.query(document, {}, BASIC);
  expect(data).toEqual({ debtor: null, companies: { nodes: [{ name: 'Zorggroep Noord B.V.' }] } });
  expect(errors).toMatchObject([{ path: ['debtor'], extensions: { code: 'UNAUTHENTICATED' } }]);
  expect(gateway.rest.calls.map(({ path }) => path)).toEqual(['/v1/companies']);
});

test('viewer names the missing setting, and uses the application of the caller if there is one', async () => {
  const without = await freshGateway({ withoutApplication: true });
  expect((await without.query(VIEWER)).errors).toMatchObject([
    { message: expect.stringContaining('REST_CLIENT_ID'), extensions: { code: 'NOT_CONFIGURED' } },
  ]);
  expect(without.rest.calls).toEqual([]);
  expect((await without.query(VIEWER, {}, BOTH)).data).toEqual({ viewer: { clientId: 'demo-application' } });
});

describe('a credential that the REST service rejects', () => {
  test.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
  ])('is sent once (%i)', async (status, code) => {
    for (const document of [...BEARER_OPERATIONS, ...BASIC_OPERATIONS]) {
      gateway.rest.behave();
      gateway.rest.calls.length = 0;
      gateway.rest.misbehave({ kind: 'status', status, times: 5 });
      const answer = await gateway.query(document, {}, BOTH);
      expect(answer.errors).toMatchObject([{ extensions: { code, upstream: { status } } }]);
      expect(gateway.calls()).toHaveLength(1);
    }
  });
});

const BASE64 = BASIC.authorization.replace('Basic ', '');

describe.each([
  [
    'a bearer token',
    DEBTORS,
    BEARER,
    ['Bearer ', 'bearer ', 'bEaReR    '].map((form) => form + tokens.companyA),
  ],
  [
    'a Basic credential',
    COMPANIES,
    BASIC,
    [
      `Basic ${BASE64}`,
      `BASIC   ${BASE64}`,
      `Basic ${BASE64.replace(/=+$/, '')}`,
      `Basic ${BASE64.replaceAll('+', '-').replaceAll('/', '_')}`,
    ],
  ],
])('%s in several spellings is one caller', (_what, document, { authorization: normal }, forms) => {
  test('in the cache, and has the usual spelling in REST calls', async () => {
    for (const [index, authorization] of forms.entries()) {
      const answer = await caching.query(document, {}, { authorization });
      expect(answer.extensions.cost).toMatchObject({ calls: index === 0 ? 1 : 0 });
    }
    const fresh = { 'cache-control': 'no-cache' };
    for (const authorization of forms) await caching.query(document, {}, { authorization, ...fresh });
    expect(sentBy(caching)).toEqual([normal, ...forms.map(() => normal)]);
  });
});

test.each([
  ['with a character that base64 does not have', `${BASE64.slice(0, 4)}!${BASE64.slice(4)}`],
  ['that is empty', ''],
  ['that is not encoded', 'demo-application:demo-application-secret'],
])('a Basic credential %s is rejected in either header without a call', async (_what, text) => {
  const malformed = `Basic ${text}`;
  for (const [name, headers] of [
    ['Authorization', { authorization: malformed }],
    ['X-Client-Authorization', { ...BASIC, 'x-client-authorization': malformed }],
  ] as const) {
    const answer = await caching.query(COMPANIES, {}, headers);
    expectRefused(caching, answer, 'UNAUTHENTICATED');
    expect(answer.errors?.[0]?.message).toMatch(
      `The credential in \`${name}\` is not base64. Send \`${name}: Basic <`,
    );
  }
});

test('a malformed application is not replaced by that of the gateway or by cached data', async () => {
  const malformed = { ...BEARER, 'x-client-authorization': 'Basic id:secret' };
  expect((await caching.query(VIEWER)).errors).toBeUndefined();
  expect(codesOf(await caching.query(VIEWER, {}, malformed))).toEqual(['UNAUTHENTICATED']);
  expect((await caching.query(DEBTORS, {}, malformed)).errors).toBeUndefined();
});
