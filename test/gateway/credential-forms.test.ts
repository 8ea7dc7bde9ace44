import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { BASIC, BEARER, useGateway } from '../support/gateway.ts';

const gateway = await useGateway({ gateway: { cacheTtlMs: 60_000 } });

const { tokens } = demoCredentials;
const DEBTORS = '{ debtors(administrationId: "1001", first: 2) { nodes { name } } }';
const COMPANIES = '{ companies(first: 2) { nodes { name } } }';
const FRESH = { 'cache-control': 'no-cache' };

const BEARER_FORMS = ['Bearer ', 'bearer ', 'BEARER ', 'bEaReR    '].map((scheme) => ({
  authorization: `${scheme}${tokens.companyA}`,
}));
const BASE64 = BASIC.authorization.replace('Basic ', '');
const BASIC_FORMS = [
  `Basic ${BASE64}`,
  `basic ${BASE64}`,
  `BASIC   ${BASE64}`,
  `Basic ${BASE64.replace(/=+$/, '')}`,
  `Basic ${BASE64.replace(/=$/, '')}`,
  `Basic ${withOtherBits(BASE64)}`,
  `Basic ${BASE64.replaceAll('+', '-').replaceAll('/', '_')}`,
].map((authorization) => ({ authorization }));

/** The same bytes: the bits behind the last one are not zero. */
function withOtherBits(base64: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return base64.replace(/([A-Za-z0-9+/])(={1,2})$/, (_, last, padding) => {
    return `${letters[letters.indexOf(last) + 1]}${padding}`;
  });
}

describe.each([
  ['a bearer token', DEBTORS, BEARER_FORMS, BEARER.authorization],
  ['a Basic credential', COMPANIES, BASIC_FORMS, BASIC.authorization],
])('%s written in several ways is one caller', (_what, document, forms, normal) => {
  test('for what is cached', async () => {
    await gateway.query(document, {}, { ...forms[0], ...FRESH });
    for (const headers of forms) {
      const answer = await gateway.query(document, {}, headers);
      expect(answer.extensions.cost).toMatchObject({ calls: 0, cacheHits: 1 });
    }
    expect(gateway.rest.calls).toHaveLength(1);
  });

  test('for calls under way', async () => {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 100, times: forms.length });
    // Longer than what is cached, so that there is something to wait for.
    const longer = document.replace('first: 2', 'first: 7');
    const answers = await Promise.all(forms.map((headers) => gateway.query(longer, {}, headers)));
    expect(answers.flatMap(({ errors = [] }) => errors)).toEqual([]);
    expect(gateway.rest.calls).toHaveLength(1);
  });

  test('for REST, which gets the scheme in its usual form', async () => {
    for (const headers of forms) await gateway.query(document, {}, { ...headers, ...FRESH });
    expect(gateway.rest.calls.map(({ headers }) => headers.authorization)).toEqual(forms.map(() => normal));
  });
});

test('a write under one form drops what was cached under another', async () => {
  await gateway.query(DEBTORS, {}, { ...BEARER_FORMS[0], ...FRESH });
  const write = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }';
  await gateway.query(write, {}, BEARER_FORMS[1]);
  const answer = await gateway.query(DEBTORS, {}, BEARER_FORMS[0]);
  expect(answer.extensions.cost).toMatchObject({ calls: 1, cacheHits: 0 });
});

test.each([
  ['with a character that base64 does not have', `Basic ${BASE64.slice(0, 4)}!${BASE64.slice(4)}`],
  ['with a space in it', `Basic ${BASE64.slice(0, 4)} ${BASE64.slice(4)}`],
  ['with padding in it', `Basic ${BASE64.slice(0, 4)}=${BASE64.slice(4)}`],
  ['with a character too many', 'Basic aWQ6c2VjcmV0c'],
  ['that is empty', 'Basic '],
  ['that is not encoded', 'Basic demo-application:demo-application-secret'],
])('a Basic credential %s is none, and nothing is sent', async (_what, authorization) => {
  const forms = [
    { name: 'Authorization', headers: { authorization } },
    { name: 'X-Client-Authorization', headers: { ...BEARER, 'x-client-authorization': authorization } },
    { name: 'X-Client-Authorization', headers: { ...BASIC, 'x-client-authorization': authorization } },
  ];
  for (const { name, headers } of forms) {
    const { errors } = await gateway.query(COMPANIES, {}, headers);
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(
          `^The credential in \`${name}\` is not base64\\. Send \`${name}: Basic <`,
        ),
        extensions: { code: 'UNAUTHENTICATED' },
      },
    ]);
  }
  expect(gateway.rest.calls).toHaveLength(0);
});

test('in place of a malformed application the gateway does not use its own, nor what it cached for that', async () => {
  const document = '{ viewer { clientId } }';
  const malformed = { ...BEARER, 'x-client-authorization': 'Basic id:secret' };
  const refused = [
    { message: expect.stringContaining('is not base64'), extensions: { code: 'UNAUTHENTICATED' } },
  ];
  expect(await gateway.query(document, {}, malformed)).toMatchObject({ errors: refused });
  expect(gateway.rest.calls).toHaveLength(0);
  for (let times = 0; times < 2; times += 1)
    expect((await gateway.query(document, {}, BEARER)).errors).toBeUndefined();
  expect(await gateway.query(document, {}, malformed)).toMatchObject({ errors: refused });
  // Fields that need no application answer.
  expect((await gateway.query(DEBTORS, {}, malformed)).errors).toBeUndefined();
});

test('the client credential beside a token is one caller in all its forms, too', async () => {
  // Another field, which no test before has read.
  const document = COMPANIES.replace('name', 'status');
  for (const { authorization } of BASIC_FORMS) {
    await gateway.query(document, {}, { ...BEARER, 'x-client-authorization': authorization });
  }
  expect(gateway.rest.calls).toHaveLength(1);
});
