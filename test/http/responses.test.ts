import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { codesIn, type ReadResponse } from '../library/support.ts';
import { BEARER, freshGateway } from '../support/gateway.ts';
import {
  ENDPOINT,
  type Init,
  JSON_BODY,
  LIST,
  pluginSlot,
  TYPENAME,
  useFetchGateway,
  WRITE,
} from './support/fetch-gateway.ts';

const JSON_TYPE = 'application/json';
const RESPONSE_JSON = 'application/graphql-response+json';
const SSE = 'text/event-stream';
const PARTS = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"';
const ORIGIN = 'https://app.example';

const { plugin: useGiven, withPlugin } = pluginSlot();
const gateway = await useFetchGateway({ corsOrigins: [ORIGIN] });
const full = await useFetchGateway({ maxOperations: 0 });
const plugged = await useFetchGateway({ plugins: [useGiven], corsOrigins: [ORIGIN] });
const elsewhere = await useFetchGateway({ graphqlEndpoint: '/api/graphql' });

const brief = ({ status, headers }: ReadResponse) => [
  status,
  headers.get('content-type')?.replace('; charset=utf-8', ''),
];

describe('the media type of a response', () => {
  test.each([
    ['', JSON_TYPE],
    [RESPONSE_JSON, RESPONSE_JSON],
    [`${RESPONSE_JSON}, ${JSON_TYPE}`, RESPONSE_JSON],
    [`${JSON_TYPE}, ${RESPONSE_JSON}`, JSON_TYPE],
    // Weights decide, wherever they stand, and the most specific range decides on a type.
    [`${JSON_TYPE};charset=utf-8; Q=0.1 , ${RESPONSE_JSON} ; q = 0.9`, RESPONSE_JSON],
    [`${RESPONSE_JSON};q=0.1, */*;q=0.9`, JSON_TYPE],
    [`${JSON_TYPE};q=0, */*`, RESPONSE_JSON],
    ['text/html;q=1, */*;q=0.1', JSON_TYPE],
    // A client that accepts anything does not wait for a stream.
    ['text/event-stream;q=0.0, */*', JSON_TYPE],
    [`${JSON_TYPE}, text/event-stream;q=0.1`, JSON_TYPE],
    [`text/event-stream, ${JSON_TYPE}`, JSON_TYPE],
    ['multipart/mixed; boundary="graphql"; SubscriptionSpec = "1.0"', PARTS],
    [`${PARTS}, text/event-stream`, PARTS],
    // urql and Apollo Client send this; only clients that accept nothing else get a stream.
    ['text/event-stream, multipart/mixed', SSE],
    [
      `multipart/mixed;boundary=graphql;subscriptionSpec=1.0,${RESPONSE_JSON},${JSON_TYPE};q=0.9`,
      RESPONSE_JSON,
    ],
  ])('for Accept: %j is %s', async (accept, type) => {
    expect(brief(await gateway.post({ query: TYPENAME }, { accept }))).toEqual([200, type]);
    expect(brief(await gateway.get({ query: TYPENAME }, { accept }))).toEqual([200, type]);
  });

  test.each([
    'text/html, text/*',
    'application/*;q=0, */*',
    `${JSON_TYPE};q=0`,
    'text/event-stream;q=0',
    'multipart/mixed',
    'multipart/mixed;subscriptionSpec=2.0',
    'nonsense',
  ])('is not acceptable for %j, so nothing is executed', async (accept) => {
    const answer = await gateway.post({ query: WRITE }, { ...BEARER, accept });
    expect([brief(answer), codesIn(answer)]).toEqual([[406, JSON_TYPE], ['NOT_ACCEPTABLE']]);
    expect(gateway.calls()).toEqual([]);
  });
});

const accepted = (accept: string) => ({ ...BEARER, accept });

test('a mutation that fails has status 200, so that clients do not send it again', async () => {
  gateway.rest.misbehave({ kind: 'status', status: 503 });
  const answer = await gateway.post({ query: WRITE }, accepted(RESPONSE_JSON));
  expect(answer).toMatchObject({ status: 200, body: { data: { unmarkTaskCompleted: null } } });
  expect(answer.headers.get('retry-after')).toBeNull();
});

test('errors come before the data, and `extensions.http` is omitted', async () => {
  const { text } = await gateway.post({ query: LIST }, {});
  expect(text).toMatch(/^\{"errors":\[\{"message":".*"data":\{"debtors":null\},"extensions":\{/);
  expect(text).not.toContain('"http"');
});

const POST = { method: 'POST', headers: { ...JSON_BODY, ...BEARER } };
const json = (params: unknown) => ({ ...POST, body: JSON.stringify(params) });
const END: Plugin = {
  onRequest: ({ endResponse, fetchAPI }) => endResponse(new fetchAPI.Response('{}', { status: 418 })),
};
const FAIL: Plugin = {
  onRequest() {
    throw new Error('secret');
  },
};

test.each<[string, number, Init, string?, Plugin?]>([
  ['a query', 200, json({ query: LIST })],
  ['a syntax error', 200, json({ query: '{' })],
  ['an error of REST', 200, { ...json({ query: LIST }), headers: JSON_BODY }],
  ['no document', 400, json({})],
  ['invalid JSON', 400, { ...POST, body: '{' }],
  ['another path', 404, {}, 'http://localhost/nothing'],
  ['a media type that is not served', 406, { headers: { accept: 'text/html' } }],
  ['a body that is too large', 413, json('x'.repeat(1_000_001))],
  ['a request that fails in a plugin', 500, json({}), ENDPOINT, FAIL],
  ['a request that a plugin ends', 418, json({}), ENDPOINT, END],
])('a response to %s has an id and is not cached', async (_, status, init, url = ENDPOINT, plugin = {}) => {
  const headers = { ...init.headers, 'x-request-id': 'mine-1' };
  const answer = await withPlugin(plugin, () => plugged.fetch({ ...init, headers }, url));
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-request-id')).toBe('mine-1');
  for (const { extensions } of answer.body.errors ?? []) expect(extensions.requestId).toBe('mine-1');
  // The gateway did not make it.
  if (status === 418) return;
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'server-timing': expect.stringMatching(/total;dur=[\d.]+$/),
    'cache-control': 'private, no-store',
    vary: expect.stringMatching(/^Accept, Accept-Encoding/),
  });
});

test.each([
  ...['a', 'A-1.b_2', 'x'.repeat(128)].map((id) => [id, true] as const),
  ...['', 'a b', '<script>', 'a"b', 'é', 'x'.repeat(129), 'a,b', 'a;b'].map((id) => [id, false] as const),
])('the request id %j of a client is used: %s', async (requestId, isKept) => {
  const { headers, body } = await full.post({ query: TYPENAME }, { 'x-request-id': requestId });
  const header = headers.get('x-request-id');
  expect(body.errors?.map(({ extensions }) => extensions.requestId)).toEqual([header]);
  if (isKept) expect(header).toBe(requestId);
  else expect(header).toMatch(/^[\da-f-]{36}$/);
});

const giving = (result: object): Plugin => ({
  onExecute: () => ({ onExecuteDone: ({ setResult }) => setResult(result) }),
});
const http = { status: 410, headers: { 'x-a': 'b' } };

test.each<[string, object, object]>([
  ['data', { data: { a: 1 }, extensions: { http, b: 1 } }, { data: { a: 1 }, extensions: { b: 1 } }],
  [
    'an error',
    { errors: [new GraphQLError('Gone.', { extensions: { code: 'GONE', http } })] },
    { errors: [{ message: 'Gone.', extensions: { code: 'GONE' } }] },
  ],
])('a plugin can set status and headers of %s by `extensions.http`', async (_what, given, body) => {
  const answer = await withPlugin(giving(given), () => plugged.post({ query: TYPENAME }));
  expect(answer).toMatchObject({ status: 410, body });
  expect(answer.headers.get('x-a')).toBe('b');
  expect(answer.text).not.toContain('"http"');
});

describe('an error', () => {
  const failWith = (error: unknown) => {
    const fail: Plugin = {
      onExecute() {
        throw error;
      },
    };
    return withPlugin(fail, () => plugged.post({ query: TYPENAME }, { accept: RESPONSE_JSON }));
  };

  test.each([
    ['an Error', new Error('my-secret')],
    ['a string', 'my-secret'],
    [
      'an Error inside a GraphQLError',
      new GraphQLError('my-secret', { originalError: new Error('my-secret') }),
    ],
  ])('of a plugin that is %s is hidden from clients and the log', async (_what, error) => {
    const { status, text, body, headers } = await failWith(error);
    const requestId = headers.get('x-request-id');
    expect([status, headers.get('content-type')]).toEqual([500, 'application/json; charset=utf-8']);
    expect(body.errors).toEqual([
      { message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } },
    ]);
    expect(plugged.log).toMatchObject([
      { level: 'error', message: 'unexpected error', details: { requestId } },
    ]);
    expect(text + JSON.stringify(plugged.log)).not.toContain('my-secret');
  });

  test('that is a GraphQLError is shown with its code, without other extensions', async () => {
    const extensions = { code: 'CLOSED', secret: 'my-secret' };
    const { body } = await failWith(new GraphQLError('x'.repeat(5_000), { extensions }));
    expect(body.errors).toEqual([
      { message: `${'x'.repeat(1_000)}…`, extensions: { code: 'CLOSED', requestId: expect.any(String) } },
    ]);
    expect(plugged.log).toEqual([]);
    const answer = await failWith(new GraphQLError('Not today.'));
    expect([answer.status, codesIn(answer)]).toEqual([400, ['BAD_USER_INPUT']]);
  });

  test('that a plugin adds to a result is hidden in the same way', async () => {
    const added = new GraphQLError('x', { path: ['a'], originalError: new Error('my-secret') });
    const errors = [{ message: 'Unexpected error.', path: ['a'] }];
    for (const plugin of [
      { onExecutionResult: ({ result, setResult }) => setResult({ ...result, errors: [added] }) },
      { onResultProcess: ({ result, setResult }) => setResult({ ...result, errors: [added] }) },
    ] satisfies Plugin[]) {
      const answer = await withPlugin(plugin, () => plugged.post({ query: TYPENAME }));
      expect(answer).toMatchObject({ status: 200, body: { data: { __typename: 'Query' }, errors } });
      expect(answer.text).not.toContain('secret');
    }
  });
});

test('the endpoint can have another path, which other paths name in their 404', async () => {
  const url = `http://localhost/api/graphql?query=${encodeURIComponent(TYPENAME)}`;
  expect(await elsewhere.fetch({}, url)).toMatchObject({ status: 200, body: { data: {} } });
  for (const path of ['/', '/api/graphql/', '/graphql', '/API/graphql']) {
    const answer = await elsewhere.fetch({}, `http://localhost${path}`);
    expect([answer.status, codesIn(answer)]).toEqual([404, ['NOT_FOUND']]);
    expect(answer.text).toContain('GraphQL is served at /api/graphql');
  }
});

test('pages need no slot of operations, and plugins do not see them', async () => {
  const { url } = await freshGateway({ gateway: { maxOperations: 0, plugins: [END] } });
  expect((await fetch(new URL('/health', url))).status).toBe(200);
  expect((await fetch(url)).status).toBe(418);
});
