import { describe, expect, test } from 'vitest';
import { BEARER, type TestGateway, useGateway } from '../support/gateway.ts';
import { exchange } from '../support/sockets.ts';

const gateway = await useGateway();
const withoutArrays = await useGateway({ gateway: { maxBatch: 0 }, over: gateway.rest });
const trusted = await useGateway({
  gateway: { trustedDocuments: new Map([['a1', '{ __typename }']]) },
  over: gateway.rest,
});

const LIST = '{ debtors(administrationId: "1001") { nodes { name } } }';
const SUBSCRIPTION = 'subscription { changes(administrationId: "1001") { cursor } }';
const WRITE = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }';
const SEND_JSON = 'Send the operation as `Content-Type: application/json`.';
const STREAM = 'send `Accept: text/event-stream`, or `Accept: multipart/mixed;subscriptionSpec=1.0`.';
const WHOLE = 'Answers are sent whole: leave it out, and ask for what is slow in an operation of its own.';

interface Asked {
  readonly at?: TestGateway;
  readonly path?: string;
  readonly body?: string | FormData | URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask({ at = gateway, path = '', body, headers = {} }: Asked): Promise<Response> {
  const isText = typeof body === 'string';
  return fetch(at.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...BEARER, ...(isText && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  });
}

const params = (query: string, more: object = {}) => JSON.stringify({ query, ...more });
const upload = () => {
  const form = new FormData();
  form.set(
    'operations',
    params('mutation ($file: Upload!) { upload(file: $file) }', { variables: { file: null } }),
  );
  form.set('map', '{"0":["variables.file"]}');
  form.set('0', new Blob(['x']), 'x.txt');
  return form;
};

const CASES: [what: string, asked: Asked, status: number, code: string, message: string][] = [
  [
    '@defer',
    { body: params(`{ ... @defer { __typename } }`) },
    200,
    'GRAPHQL_VALIDATION_FAILED',
    `Unknown directive "@defer". ${WHOLE}`,
  ],
  [
    '@stream',
    { body: params('{ debtors(administrationId: "1001") { nodes @stream { name } } }') },
    200,
    'GRAPHQL_VALIDATION_FAILED',
    `Unknown directive "@stream". ${WHOLE}`,
  ],
  [
    'a result in parts',
    { body: params(LIST), headers: { accept: 'multipart/mixed; deferSpec=20220824' } },
    406,
    'NOT_ACCEPTABLE',
    'Answers come as application/graphql-response+json, application/json or text/event-stream.',
  ],
  [
    'a file',
    { body: upload() },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    `Files cannot be uploaded here. ${SEND_JSON}`,
  ],
  [
    'a form',
    { body: new URLSearchParams({ query: LIST }) },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    `Forms are not read here. ${SEND_JSON}`,
  ],
  [
    'a document without JSON',
    { body: LIST, headers: { 'content-type': 'application/graphql' } },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    SEND_JSON,
  ],
  [
    'a compressed body',
    { body: params(LIST), headers: { 'content-encoding': 'gzip' } },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as it is, without `Content-Encoding`: compressed ones are not read.',
  ],
  [
    'a subscription without a stream',
    { body: params(SUBSCRIPTION) },
    406,
    'NOT_ACCEPTABLE',
    `A subscription is answered by a stream: ${STREAM}`,
  ],
  [
    'a mutation by GET',
    { path: `?query=${encodeURIComponent(WRITE)}` },
    405,
    'METHOD_NOT_ALLOWED',
    'Send a mutation by POST.',
  ],
  [
    'an array where there are none',
    { at: withoutArrays, body: `[${params(LIST)}]` },
    400,
    'BAD_REQUEST',
    'Send one operation, as a JSON object: an array of operations is not taken here.',
  ],
  [
    'an array as a file of rows',
    { path: '.csv', body: `[${params(LIST)}]` },
    400,
    'BAD_REQUEST',
    'Send one operation, as a JSON object: an array of operations is not taken here.',
  ],
  [
    'an array in a stream',
    { body: `[${params(LIST)}]`, headers: { accept: 'text/event-stream' } },
    406,
    'NOT_ACCEPTABLE',
    'An array of operations is answered by an array, as application/json or application/graphql-response+json.',
  ],
  [
    'introspection beside trusted documents',
    { at: trusted, body: params('{ __schema { queryType { name } } }') },
    400,
    'TRUSTED_DOCUMENT_REQUIRED',
    'Only known documents are run here. Send the hash of one as `documentId`, or as `extensions.persistedQuery.sha256Hash`, in place of `query`.',
  ],
  [
    'a document that is only known by its id',
    { body: '{"documentId":"a1"}' },
    400,
    'PERSISTED_QUERY_NOT_SUPPORTED',
    'PersistedQueryNotSupported',
  ],
];

describe('what is not offered says so, with a code, and calls nothing', () => {
  test.each(CASES)('%s', async (_what, asked, status, code, message) => {
    const response = await ask(asked);
    expect(response.status).toBe(status);
    const requestId = response.headers.get('x-request-id');
    expect(await response.json()).toMatchObject({ errors: [{ message, extensions: { code, requestId } }] });
    expect(gateway.calls()).toEqual([]);
  });

  test('a WebSocket', async () => {
    const handshake = 'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const { status, text } = await exchange(gateway.url, handshake);
    expect(status).toBe(400);
    expect(text).toContain(`There are no WebSockets here. Subscribe over HTTP: ${STREAM}`);
    expect(text).toContain('"code":"BAD_REQUEST"');
  });
});
