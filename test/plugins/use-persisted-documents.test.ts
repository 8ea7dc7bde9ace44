import { createHash } from 'node:crypto';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { BEARER, OTHER_BEARER } from '../support/gateway.ts';
import { ENDPOINT, LIST, TYPENAME, useFetchGateway, WRITE } from './support.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const byHash = (sha256Hash: string, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
});
const inAddress = (sha256Hash: string) => ({ extensions: JSON.stringify(byHash(sha256Hash).extensions) });
/** No other test has a document like it, so that none has registered it. */
let documents = 0;
const freshDocument = () => {
  documents += 1;
  return `query Number${documents} { debtors(administrationId: "1001", first: 1) { nodes { name } } }`;
};

const gateway = await useFetchGateway();
const NOT_FOUND = [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }];
const NOT_SUPPORTED = [
  { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } },
];
const FOUND = { status: 200, body: { data: { debtors: { nodes: [{}] } } } };

describe('a document', () => {
  test('is found by its hash once it was sent with it, by POST and by GET', async () => {
    const query = freshDocument();
    const hash = sha256(query);
    expect((await gateway.post(byHash(hash))).body.errors).toMatchObject(NOT_FOUND);
    expect(gateway.calls()).toEqual([]);
    expect(await gateway.post({ query, ...byHash(hash) })).toMatchObject(FOUND);
    expect(await gateway.post(byHash(hash))).toMatchObject(FOUND);
    expect(await gateway.get(inAddress(hash))).toMatchObject(FOUND);
    expect(await gateway.post(byHash(`sha256:${hash.toUpperCase()}`))).toMatchObject(FOUND);
    expect(gateway.calls()).toHaveLength(4);
  });

  test('may be registered by GET', async () => {
    const query = freshDocument();
    const hash = sha256(query);
    expect((await gateway.get(inAddress(hash))).body.errors).toMatchObject(NOT_FOUND);
    expect(await gateway.get({ query, ...inAddress(hash) })).toMatchObject(FOUND);
    expect(await gateway.get(inAddress(hash))).toMatchObject(FOUND);
  });

  test('has its variables and the name of its operation beside the hash', async () => {
    const query =
      'query One { __typename } query Two($first: Int) { debtors(administrationId: "1001", first: $first) { nodes { name } } }';
    const named = byHash(sha256(query));
    await gateway.post({ query, operationName: 'One', ...named });
    const answer = await gateway.post({ operationName: 'Two', variables: { first: 1 }, ...named });
    expect(answer).toMatchObject(FOUND);
  });

  test('is found by whoever sends its hash', async () => {
    const query = freshDocument();
    const hash = sha256(query);
    await gateway.post({ query, ...byHash(hash) }, BEARER);
    expect(codesIn(await gateway.post(byHash(hash), OTHER_BEARER))).toEqual(['FORBIDDEN']);
    expect(codesIn(await gateway.post(byHash(hash), {}))).toEqual(['UNAUTHENTICATED']);
  });

  test('that is a mutation works by POST alone', async () => {
    const hash = sha256(WRITE);
    expect(codesIn(await gateway.post({ query: WRITE, ...byHash(hash) }))).toEqual([]);
    gateway.rest.calls.length = 0;
    expect(codesIn(await gateway.get(inAddress(hash)))).toEqual(['METHOD_NOT_ALLOWED']);
    expect(gateway.calls()).toEqual([]);
    expect(codesIn(await gateway.post(byHash(hash)))).toEqual([]);
  });

  test('that is not valid is refused each time, in the same words', async () => {
    const query = '{ nonsense }';
    const first = await gateway.post({ query, ...byHash(sha256(query)) });
    const second = await gateway.post(byHash(sha256(query)));
    expect(codesIn(first)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(codesIn(second)).toEqual(codesIn(first));
  });

  test('is found for exports and for streams too', async () => {
    const query = freshDocument();
    const hash = sha256(query);
    await gateway.post({ query, ...byHash(hash) });
    const address = `${ENDPOINT}.csv?${new URLSearchParams(inAddress(hash))}`;
    const csv = await gateway.fetch({ headers: BEARER }, address);
    expect([csv.status, csv.text.split('\r\n')[0]]).toEqual([200, 'name']);
    const stream = await gateway.post(byHash(hash), { ...BEARER, accept: 'text/event-stream' });
    expect(stream.text).toContain('"debtors":{"nodes":[{');
    const unknown = await gateway.post(byHash(sha256('x')), { ...BEARER, accept: 'text/event-stream' });
    expect(unknown.text).toContain('PERSISTED_QUERY_NOT_FOUND');
  });
});

describe('what cannot be found or registered', () => {
  test.each([
    ['application/json', 200],
    ['application/graphql-response+json', 400],
  ])('has the status that clients of %s expect', async (accept, status) => {
    const answer = await gateway.post(byHash(sha256('unknown')), { ...BEARER, accept });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'private, no-store']);
    expect(answer.body.errors).toMatchObject(NOT_FOUND);
  });

  test.each([
    ['another version', byHash(sha256(TYPENAME), 2)],
    ['no version', byHash(sha256(TYPENAME), null)],
    ['a hash of another kind', byHash(createHash('sha1').update(TYPENAME).digest('hex'))],
    ['a made-up hash', byHash('__proto__')],
  ])('makes clients send the text alone: %s', async (_what, params) => {
    expect((await gateway.post(params)).body.errors).toMatchObject(NOT_SUPPORTED);
    // Beside a text it says nothing.
    expect(await gateway.post({ query: TYPENAME, ...params })).toMatchObject({ status: 200 });
  });

  test.each([
    ['another text', TYPENAME, sha256(LIST)],
    // All halves of surrogate pairs are one character in UTF-8.
    ['half of a character', '{ __typename } # \ud800', sha256('{ __typename } # \ufffd')],
  ])('is the hash of %s', async (_what, query, hash) => {
    const answer = await gateway.post({ query, ...byHash(hash) });
    expect([answer.status, codesIn(answer)]).toEqual([400, ['PERSISTED_QUERY_MISMATCH']]);
    expect(codesIn(await gateway.post(byHash(hash)))).toEqual(['PERSISTED_QUERY_NOT_FOUND']);
  });
});

const trusted = await useFetchGateway({ trustedDocuments: new Map([['a1', LIST]]) });

test('nothing is registered where only trusted documents are run', async () => {
  const params = { query: TYPENAME, ...byHash(sha256(TYPENAME)) };
  expect(codesIn(await trusted.post(params))).toEqual(['UNKNOWN_DOCUMENT']);
  expect(codesIn(await trusted.post(byHash(sha256(TYPENAME))))).toEqual(['UNKNOWN_DOCUMENT']);
  expect(trusted.gateway.stats().caches.persisted).toEqual({ bytes: 0, entries: 0 });
});

const seen: (string | undefined)[] = [];
const useSeeing: Plugin = { onParams: ({ params }) => void seen.push(params.query) };
const plugged = await useFetchGateway({ plugins: [useSeeing] });

test('plugins of users see the document that is run', async () => {
  await plugged.post({ query: TYPENAME, ...byHash(sha256(TYPENAME)) }, {});
  await plugged.post(byHash(sha256(TYPENAME)), {});
  await plugged.post(byHash(sha256('unknown')), {});
  expect(seen).toEqual([TYPENAME, TYPENAME, undefined]);
});
