import { createHash } from 'node:crypto';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { LIST, useFetchGateway } from './support.ts';

const sha256Hash = createHash('sha256').update(LIST).digest('hex');
const persistedQuery = { version: 1, sha256Hash };
const gateway = await useFetchGateway();

/** Of another kind than clients can register. */
const sha1Hash = createHash('sha1').update(LIST).digest('hex');

describe('a hash alone makes the client send the text', () => {
  test.each([
    ['documentId', { documentId: sha256Hash }],
    ['extensions', { extensions: { persistedQuery: { version: 1, sha256Hash: sha1Hash } } }],
  ])('in %s', async (name, params) => {
    const [value] = Object.values(params);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    for (const answer of [await gateway.post(params), await gateway.get({ [name]: text })]) {
      expect(answer.status).toBe(400);
      // Apollo reads the code or the message, urql the message alone.
      expect(answer.body.errors).toMatchObject([
        { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } },
      ]);
    }
    expect(gateway.calls()).toEqual([]);
  });
});

test('a hash beside a text changes nothing', async () => {
  const answer = await gateway.post({ query: LIST, extensions: { persistedQuery } });
  expect(answer).toMatchObject({ status: 200, body: { data: { debtors: { nodes: [{}, {}] } } } });
});

test.each([[{}], [{ query: '' }], [{ query: null }], [{ query: 5 }], [{ query: { kind: 'Document' } }]])(
  'what has no document is told what to send: %j',
  async (params) => {
    const answer = await gateway.post(params);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([
      {
        message: '`query` is missing. Send the text of a GraphQL document, as a string.',
        extensions: { code: 'BAD_REQUEST' },
      },
    ]);
  },
);

const persisted = await useFetchGateway({
  plugins: [usePersistedOperations({ getPersistedOperation: (hash) => (hash === sha256Hash ? LIST : null) })],
});

test('an operation that a plugin of a user finds by its hash is run', async () => {
  const answer = await persisted.post({ extensions: { persistedQuery } });
  expect(answer).toMatchObject({ status: 200, body: { data: { debtors: { nodes: [{}, {}] } } } });
  expect(persisted.calls()).toHaveLength(1);
  const unknown = { persistedQuery: { version: 1, sha256Hash: 'unknown' } };
  expect(codesIn(await persisted.post({ extensions: unknown }))).toEqual(['PERSISTED_QUERY_NOT_IN_LIST']);
});

const useDefaultDocument: Plugin = {
  onParams({ params, setParams }) {
    if (!params.query) setParams({ ...params, query: LIST });
  },
};
const useNoDocument: Plugin = {
  onParams: ({ params: { query: _query, ...params }, setParams }) => setParams(params),
};
const defaulting = await useFetchGateway({ plugins: [useDefaultDocument] });
const removing = await useFetchGateway({ plugins: [useNoDocument] });

test('what plugins of users leave of the parameters decides', async () => {
  expect(codesIn(await defaulting.post({}))).toEqual([]);
  expect(defaulting.calls()).toHaveLength(1);
  expect(codesIn(await removing.post({ query: LIST }))).toEqual(['BAD_REQUEST']);
  expect(removing.calls()).toEqual([]);
});
