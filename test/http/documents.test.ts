import { createHash } from 'node:crypto';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { BEARER, OTHER_BEARER } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { ENDPOINT, LIST, TYPENAME, useFetchGateway, WRITE } from './support/fetch-gateway.ts';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const byHash = (sha256Hash: string, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
});
const inAddress = (sha256Hash: string) => ({ extensions: JSON.stringify(byHash(sha256Hash).extensions) });
const refusal = (status: number, code: string, message: unknown = expect.any(String)) => ({
  status,
  body: { errors: [{ message, extensions: { code } }] },
});

/** Records which documents a plugin sees parsed and validated. */
const seen: string[] = [];
const useSeeing: Plugin = {
  onParse: ({ parseFn, setParseFn }) =>
    setParseFn((source: string, options: object) => {
      seen.push('parse');
      return parseFn(source, options);
    }),
  onValidate({ validateFn, setValidationFn }) {
    setValidationFn((...args) => {
      seen.push('validate');
      return validateFn(...args);
    });
  },
};
const gateway = await useFetchGateway();
const plugged = await useFetchGateway({ plugins: [useSeeing] });

test('a response has the first five errors of a document', async () => {
  const unknown = (count: number) => ({ query: `{ ${times(count, (n) => `nonsense${n}`).join(' ')} }` });
  expect((await gateway.post(unknown(5))).body.errors).toHaveLength(5);
  const { body } = await gateway.post(unknown(20));
  expect(body.errors).toHaveLength(6);
  expect(body.errors?.at(-1)?.message).toBe('The document has more errors: the first 5 are shown.');
});

test('only valid documents are cached, and parsed and validated once for all callers', async () => {
  const kept = () => plugged.gateway.stats().caches.document?.entries ?? 0;
  const before = kept();
  for (const query of ['{ nonsense }', '{']) await plugged.post({ query });
  expect(kept()).toBe(before);
  seen.length = 0;
  for (const headers of [{}, BEARER, {}]) await plugged.post({ query: '{ kept: __typename }' }, headers);
  expect(kept()).toBe(before + 1);
  expect(seen).toEqual(['parse', 'validate']);
});

/** No other test has a document like it, so that none has registered it. */
let documents = 0;
const freshDocument = () => {
  documents += 1;
  return `query Number${documents}($first: Int = 1) { debtors(administrationId: "1001", first: $first) { nodes { name } } }`;
};
const NOT_FOUND = refusal(200, 'PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
const FOUND = { status: 200, body: { data: { debtors: { nodes: [{}] } } } };

describe('a persisted document', () => {
  test('is found by its hash, by POST and GET, for streams and exports', async () => {
    const query = freshDocument();
    const hash = sha256(query);
    expect(await gateway.post(byHash(hash))).toMatchObject(NOT_FOUND);
    expect(gateway.calls()).toEqual([]);
    expect(await gateway.post({ query, ...byHash(hash) })).toMatchObject(FOUND);
    expect(await gateway.post({ ...byHash(hash), variables: { first: 1 } })).toMatchObject(FOUND);
    expect(await gateway.get(inAddress(hash))).toMatchObject(FOUND);
    expect(await gateway.post(byHash(`sha256:${hash.toUpperCase()}`))).toMatchObject(FOUND);
    expect(gateway.calls()).toHaveLength(4);
    const csv = await gateway.fetch(
      { headers: BEARER },
      `${ENDPOINT}.csv?${new URLSearchParams(inAddress(hash))}`,
    );
    expect([csv.status, csv.text.split('\r\n')[0]]).toEqual([200, 'name']);
    const stream = await gateway.post(byHash(hash), { ...BEARER, accept: 'text/event-stream' });
    expect(stream.text).toContain('"debtors":{"nodes":[{');
  });

  test('can be registered by GET, and every caller finds it by its hash', async () => {
    const query = freshDocument();
    const hash = sha256(query);
    expect(await gateway.get(inAddress(hash))).toMatchObject(NOT_FOUND);
    expect(await gateway.get({ query, ...inAddress(hash) })).toMatchObject(FOUND);
    expect(codesIn(await gateway.post(byHash(hash), OTHER_BEARER))).toEqual(['FORBIDDEN']);
    expect(codesIn(await gateway.post(byHash(hash), {}))).toEqual(['UNAUTHENTICATED']);
  });

  test.each([
    ['another version', byHash(sha256(TYPENAME), 2)],
    ['no version', byHash(sha256(TYPENAME), null)],
    ['a hash of another kind', byHash(sha1(TYPENAME))],
    ['a made-up hash', byHash('__proto__')],
    ['a `documentId`', { documentId: sha256(TYPENAME) }],
  ])('is only found by its text with %s', async (_what, params) => {
    // Apollo reads the code or the message, urql the message alone.
    const refused = refusal(400, 'PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
    expect(await gateway.post(params)).toMatchObject(refused);
    expect(await gateway.post({ query: TYPENAME, ...params })).toMatchObject({ status: 200 });
  });

  test.each([
    ['another text', TYPENAME, sha256(LIST)],
    // All halves of surrogate pairs are one character in UTF-8.
    ['half of a character', '{ __typename } # \ud800', sha256('{ __typename } # \ufffd')],
  ])('is not stored under the hash of %s', async (_what, query, hash) => {
    const mismatch = refusal(400, 'PERSISTED_QUERY_MISMATCH');
    expect(await gateway.post({ query, ...byHash(hash) })).toMatchObject(mismatch);
    expect(await gateway.post(byHash(hash))).toMatchObject(NOT_FOUND);
  });
});

const DEBTORS =
  'query Debtors($first: Int) { debtors(administrationId: "1001", first: $first) { nodes { name } } }';
const TWO = `${LIST} query Two { __typename }`;
/** graphql-codegen writes a SHA-1 as it is, and a SHA-256 with its prefix. */
const trustedDocuments = new Map([
  [sha1(DEBTORS), DEBTORS],
  [`sha256:${sha256(TWO)}`, TWO],
  [sha1(WRITE), WRITE],
]);
const trusted = await useFetchGateway({ trustedDocuments });
const TRUSTED = { status: 200, body: { data: { debtors: { nodes: [{}, {}] } } } };

describe.each([
  ['documentId', (hash: string) => ({ documentId: hash })],
  ['extensions', (hash: string) => byHash(hash)],
])('the hash of a trusted document, in %s,', (_where, naming) => {
  const parameters = (hash: string) =>
    Object.fromEntries(
      Object.entries(naming(hash)).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );

  test('takes precedence over the text, by POST and GET', async () => {
    const hash = sha1(DEBTORS);
    const variables = { first: 2 };
    expect(await trusted.post({ ...naming(hash), variables })).toMatchObject(TRUSTED);
    expect(await trusted.post({ query: TYPENAME, ...naming(hash), variables })).toMatchObject(TRUSTED);
    expect(await trusted.get({ ...parameters(hash), variables: '{"first":2}' })).toMatchObject(TRUSTED);
  });

  test.each(['sha256:', ''])('can be a SHA-256 with the prefix "%s"', async (prefix) => {
    const answer = await trusted.post({ ...naming(prefix + sha256(TWO)), operationName: 'Two' });
    expect(answer).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
  });

  test('is rejected if it is unknown, also with a text', async () => {
    const unknown = refusal(400, 'UNKNOWN_DOCUMENT', expect.stringContaining('"0123"'));
    expect(await trusted.post(naming('0123'))).toMatchObject(unknown);
    expect(await trusted.post({ query: DEBTORS, ...naming('0123') })).toMatchObject(unknown);
    expect(await trusted.get(parameters('0123'))).toMatchObject(unknown);
    expect(await trusted.post(naming('__proto__'))).toMatchObject(refusal(400, 'UNKNOWN_DOCUMENT'));
    expect((await trusted.post(naming('x'.repeat(100_000)))).text.length).toBeLessThan(500);
    expect(trusted.calls()).toEqual([]);
  });
});

test.each([
  ['a text', { query: DEBTORS }],
  ['introspection', { query: '{ __schema { queryType { name } } }' }],
  ['nothing', {}],
  ['a hash that is not a string', { documentId: 5 }],
  ['an empty hash', { query: DEBTORS, documentId: '' }],
  ['an extension without a hash', { query: DEBTORS, extensions: { persistedQuery: { version: 1 } } }],
])('a gateway with trusted documents requires a hash instead of %s', async (_what, body) => {
  const required = refusal(400, 'TRUSTED_DOCUMENT_REQUIRED', expect.stringContaining('`documentId`'));
  expect(await trusted.post(body)).toMatchObject(required);
  expect(trusted.calls()).toEqual([]);
});
