import { createHash } from 'node:crypto';
import { useOnResolve } from '@envelop/on-resolve';
import { useRateLimiter } from '@envelop/rate-limiter';
import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { useResponseCache } from '@graphql-yoga/plugin-response-cache';
import { expect, test } from 'vitest';
import { ADMINISTRATION, BEARER, OTHER_BEARER } from '../support/gateway.ts';
import { codesIn, type LibraryGateway, read, useLibrary } from './support.ts';

const LIST = `query List { debtors(administrationId: "${ADMINISTRATION}", first: 3) { nodes { name postalAddress { city } } } }`;
const WRITE = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { id internalId } } }';

const plain = await useLibrary();

async function post(
  { gateway }: LibraryGateway,
  params: object,
  headers: Readonly<Record<string, string>> = BEARER,
) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(params),
  };
  return read(await gateway.fetch('http://localhost/graphql', init));
}

async function get(
  { gateway }: LibraryGateway,
  query: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const url = `http://localhost/graphql?query=${encodeURIComponent(query)}`;
  return read(await gateway.fetch(url, { headers: { ...BEARER, ...headers } }));
}

const caching = await useLibrary({
  plugins: [
    useResponseCache({
      session: (request) => request.headers.get('authorization'),
      includeExtensionMetadata: true,
    }),
  ],
});

test('@graphql-yoga/plugin-response-cache answers again without a call, to the same caller alone', async () => {
  const [first, again] = [await post(caching, { query: LIST }), await post(caching, { query: LIST })];
  expect(first.body.extensions).toMatchObject({ responseCache: { hit: false } });
  expect(again.body.extensions).toMatchObject({ responseCache: { hit: true } });
  // The fields that the plugin adds to a document for itself are not shown.
  expect(first.body.data).toEqual((await post(plain, { query: LIST })).body.data);
  expect(again.body.data).toEqual(first.body.data);
  expect(caching.calls()).toHaveLength(1);
  expect(codesIn(await post(caching, { query: LIST }, OTHER_BEARER))).toEqual(['FORBIDDEN']);
  expect(codesIn(await post(caching, { query: LIST }, {}))).toEqual(['UNAUTHENTICATED']);
});

test('@graphql-yoga/plugin-response-cache runs each write', async () => {
  for (const _again of [1, 2]) expect(codesIn(await post(caching, { query: WRITE }))).toEqual([]);
  expect(caching.calls()).toHaveLength(2);
});

const guarded = await useLibrary({ plugins: [useCSRFPrevention()] });

test('@graphql-yoga/plugin-csrf-prevention refuses a GET without its header', async () => {
  const refused = await get(guarded, LIST);
  expect(refused.status).toBe(403);
  expect(refused.body.errors).toMatchObject([
    { message: 'Required CSRF header(s) not present', extensions: { code: expect.any(String) } },
  ]);
  expect(guarded.calls()).toEqual([]);
  expect(codesIn(await get(guarded, LIST, { 'x-graphql-yoga-csrf': '1' }))).toEqual([]);
  expect(codesIn(await post(guarded, { query: LIST }))).toEqual([]);
});

const KNOWN = createHash('sha256').update(LIST).digest('hex');
const persisted = await useLibrary({
  plugins: [usePersistedOperations({ getPersistedOperation: (hash) => (hash === KNOWN ? LIST : null) })],
});

test('@graphql-yoga/plugin-persisted-operations runs what it knows by its hash, and nothing else', async () => {
  const byHash = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
  expect((await post(persisted, byHash(KNOWN))).body.data).toEqual(
    (await post(plain, { query: LIST })).body.data,
  );
  expect(persisted.calls()).toHaveLength(1);
  expect(codesIn(await post(persisted, byHash('unknown')))).toEqual(['PERSISTED_QUERY_NOT_IN_LIST']);
  expect(codesIn(await post(persisted, {}))).toEqual(['PERSISTED_QUERY_ID_REQUIRED']);
  expect(codesIn(await post(persisted, { query: LIST }))).toEqual(['CANNOT_SEND_PQ_ID_AND_BODY']);
  expect(persisted.calls()).toHaveLength(1);
});

function hasRequest(context: unknown): context is { readonly request: Request } {
  return typeof context === 'object' && context !== null && 'request' in context;
}

const limited = await useLibrary({
  plugins: [
    useRateLimiter({
      identifyFn: (context) => (hasRequest(context) && context.request.headers.get('authorization')) || '',
      configByField: [{ type: 'Query', field: 'debtors', max: 2, window: '10m' }],
    }),
  ],
});

test('@envelop/rate-limiter counts each operation of a caller, also one that is cached', async () => {
  for (const _allowed of [1, 2]) expect(codesIn(await post(limited, { query: LIST }))).toEqual([]);
  const refused = await post(limited, { query: LIST });
  expect(refused.body.errors).toMatchObject([
    { message: expect.stringContaining('too often'), extensions: { code: expect.any(String) } },
  ]);
  expect(refused.body.data).toBeUndefined();
  expect(limited.calls()).toHaveLength(1);
  const other = LIST.replace(ADMINISTRATION, '2001');
  expect(codesIn(await post(limited, { query: other }, OTHER_BEARER))).toEqual([]);
});

const resolved: string[] = [];
const resolving = await useLibrary({
  plugins: [
    useOnResolve(({ info }) => {
      resolved.push(`${info.parentType.name}.${info.fieldName}`);
      return ({ result, setResult }) => {
        if (info.fieldName === 'city') setResult(String(result).toUpperCase());
      };
    }),
  ],
});

test('@envelop/on-resolve sees every resolver, changes results, and changes no other gateway', async () => {
  const [before, answer] = [await post(plain, { query: LIST }), await post(resolving, { query: LIST })];
  expect(JSON.stringify(answer.body.data)).toBe(
    JSON.stringify(before.body.data).replace(
      /"city":"[^"]*"/g,
      (city) => `"city":${city.slice(7).toUpperCase()}`,
    ),
  );
  expect(new Set(resolved)).toEqual(
    new Set([
      'Query.debtors',
      'DebtorConnection.nodes',
      'Debtor.name',
      'Debtor.postalAddress',
      'Address.city',
    ]),
  );
  resolved.length = 0;
  expect((await post(plain, { query: LIST })).body.data).toEqual(before.body.data);
  expect(resolved).toEqual([]);
});
