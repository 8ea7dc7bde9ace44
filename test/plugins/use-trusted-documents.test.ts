import { createHash } from 'node:crypto';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { useFetchGateway } from './support.ts';

const DEBTORS =
  'query Debtors($first: Int) { debtors(administrationId: "1001", first: $first) { nodes { name } } }';
const TWO =
  'query One { debtors(administrationId: "1001", first: 1) { nodes { name } } } query Two { __typename }';
const UNMARK = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** As graphql-codegen writes it: a SHA-1 as it is, a SHA-256 with its prefix. */
const trustedDocuments = new Map([
  [sha1(DEBTORS), DEBTORS],
  [`sha256:${sha256(TWO)}`, TWO],
  [sha1(UNMARK), UNMARK],
]);

const TRUSTED = { status: 200, body: { data: { debtors: { nodes: [{}, {}] } } } };
const refusal = (code: string, message: unknown = expect.any(String)) => ({
  status: 400,
  body: { errors: [{ message, extensions: { code } }] },
});

const seen: [string, string | undefined][] = [];
const useSeeing: Plugin = {
  onParams: ({ params }) => void seen.push(['onParams', params.query]),
  onParse: ({ params }) => void seen.push(['onParse', String(params.source)]),
};
const { rest, post, get } = await useFetchGateway({ trustedDocuments });
const plugged = await useFetchGateway({ trustedDocuments, plugins: [useSeeing] });

describe.each([
  ['documentId', (hash: string) => ({ documentId: hash })],
  ['extensions', (hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } })],
])('a hash in %s', (_where, naming) => {
  const parameters = (hash: string) =>
    Object.fromEntries(
      Object.entries(naming(hash)).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );

  test('stands for its document, by POST and by GET', async () => {
    const hash = sha1(DEBTORS);
    expect(await post({ ...naming(hash), variables: { first: 2 } })).toMatchObject(TRUSTED);
    expect(await get({ ...parameters(hash), variables: '{"first":2}' })).toMatchObject(TRUSTED);
    expect(rest.calls.map(({ path, query }) => [path, query.per_page])).toEqual([
      ['/v1/debtors', '2'],
      ['/v1/debtors', '2'],
    ]);
  });

  test.each(['sha256:', ''])('may be a SHA-256 with the prefix "%s"', async (prefix) => {
    const named = naming(prefix + sha256(TWO));
    expect(await post({ ...named, operationName: 'Two' })).toMatchObject({
      status: 200,
      body: { data: { __typename: 'Query' } },
    });
  });

  test('decides, whatever text comes along', async () => {
    const answer = await post({
      query: '{ __typename }',
      ...naming(sha1(DEBTORS)),
      variables: { first: 2 },
    });
    expect(answer).toMatchObject(TRUSTED);
  });

  test('that is unknown is refused, whatever text comes along', async () => {
    const unknown = refusal('UNKNOWN_DOCUMENT', expect.stringContaining('"0123"'));
    expect(await post(naming('0123'))).toMatchObject(unknown);
    expect(await post({ query: DEBTORS, ...naming('0123') })).toMatchObject(unknown);
    expect(await get(parameters('0123'))).toMatchObject(unknown);
    expect(rest.calls).toEqual([]);
  });

  test('of a mutation works by POST alone', async () => {
    expect(await get(parameters(sha1(UNMARK)))).toMatchObject({
      status: 405,
      body: { errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] },
    });
    expect(rest.calls).toEqual([]);
    expect(await post(naming(sha1(UNMARK)))).toMatchObject({ status: 200 });
    expect(rest.calls).toHaveLength(1);
  });

  test('is shown in part when it is long', async () => {
    const { text } = await post(naming('x'.repeat(100_000)));
    expect(text).toContain('UNKNOWN_DOCUMENT');
    expect(text.length).toBeLessThan(500);
  });

  test.each(['__proto__', 'constructor', 'toString'])('cannot be %s', async (hash) => {
    expect(await post(naming(hash))).toMatchObject(refusal('UNKNOWN_DOCUMENT'));
  });
});

test.each([
  ['a text', { query: DEBTORS }],
  ['introspection', { query: '{ __schema { queryType { name } } }' }],
  ['nothing', {}],
  ['a hash that is no text', { documentId: 5 }],
  ['an empty hash', { query: DEBTORS, documentId: '' }],
  ['an extension without a hash', { query: DEBTORS, extensions: { persistedQuery: { version: 1 } } }],
  ['an extension that is no object', { query: DEBTORS, extensions: { persistedQuery: 'x' } }],
])('a request with %s is told to send a hash', async (_what, body) => {
  const required = refusal('TRUSTED_DOCUMENT_REQUIRED', expect.stringContaining('`documentId`'));
  expect(await post(body)).toMatchObject(required);
  expect(rest.calls).toEqual([]);
});

test('a GET with a text is told to send a hash', async () => {
  expect(await get({ query: DEBTORS })).toMatchObject(refusal('TRUSTED_DOCUMENT_REQUIRED'));
});

test('variables and the name of the operation are checked as ever', async () => {
  const documentId = sha1(DEBTORS);
  expect(await post({ documentId, variables: [] })).toMatchObject(refusal('BAD_REQUEST'));
  expect(await post({ documentId, operationName: 5 })).toMatchObject(refusal('BAD_REQUEST'));
});

test('a refusal comes as a GraphQL answer to a client that takes one', async () => {
  const accept = 'application/graphql-response+json,application/json;q=0.9';
  expect((await post({ documentId: '0' }, { accept })).headers.get('content-type')).toMatch(
    'application/graphql-response+json',
  );
  expect((await post({ documentId: '0' })).headers.get('content-type')).toMatch('application/json');
});

test('plugins of users see the document that is run, and none of what is not', async () => {
  seen.length = 0;
  await plugged.post({ query: '{ __typename }', documentId: sha1(UNMARK) });
  expect(seen).toEqual([
    ['onParams', UNMARK],
    ['onParse', UNMARK],
  ]);
  expect(plugged.calls()).toHaveLength(1);
  seen.length = 0;
  await plugged.post({ query: DEBTORS });
  await plugged.post({ documentId: 'unknown' });
  expect(seen).toEqual([]);
});

const another = new Map([['a1', '{ __typename }']]);
const other = await useFetchGateway({ trustedDocuments: another });

test('the list of one gateway is none of another', async () => {
  expect(await other.post({ documentId: 'a1' })).toMatchObject({ status: 200, body: { data: {} } });
  expect(await post({ documentId: 'a1' })).toMatchObject(refusal('UNKNOWN_DOCUMENT'));
  expect(await other.post({ documentId: sha1(DEBTORS) })).toMatchObject(refusal('UNKNOWN_DOCUMENT'));
});
