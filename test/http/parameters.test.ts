import { describe, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { BEARER } from '../support/gateway.ts';
import {
  type FetchGateway,
  type Init,
  JSON_BODY,
  LIST,
  TYPENAME,
  useFetchGateway,
  WRITE,
} from './support/fetch-gateway.ts';

const gateway = await useFetchGateway({}, { MAX_OPERATIONS: '1' });
const full = await useFetchGateway({ maxOperations: 0 });
const withoutArrays = await useFetchGateway({ maxBatch: 0 });

const POST = { method: 'POST', headers: { ...JSON_BODY, ...BEARER } };
const BODY = JSON.stringify({ query: TYPENAME });
const typed = (type: string, body: BodyInit = BODY): Init => ({
  ...POST,
  headers: { 'content-type': type },
  body,
});
const sent = (headers: Readonly<Record<string, string>>, body = BODY): Init => ({
  ...POST,
  headers: { ...JSON_BODY, ...headers },
  body,
});
const streamOf = (...chunks: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

const brackets = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const SEND_JSON = 'Send the operation as `Content-Type: application/json`.';
const UPLOAD = 'multipart/form-data; boundary=x';
const STREAM = 'Send `Accept: text/event-stream`, or `Accept: multipart/mixed;subscriptionSpec=1.0`.';
const SUBSCRIPTION = 'subscription Live { changes(administrationId: "1001") { cursor } }';

/** These are refused before an operation is admitted, so a full gateway refuses them too. */
test.each<[what: string, status: number, code: string, init: Init, message?: string]>([
  ['another method', 405, 'METHOD_NOT_ALLOWED', { method: 'DELETE' }],
  ['no content type', 400, 'BAD_REQUEST', { ...POST, headers: {}, body: Buffer.from(BODY) }],
  ['text', 415, 'UNSUPPORTED_MEDIA_TYPE', typed('text/plain'), SEND_JSON],
  ['a document as the body', 415, 'UNSUPPORTED_MEDIA_TYPE', typed('application/graphql', LIST), SEND_JSON],
  ['a form', 415, 'UNSUPPORTED_MEDIA_TYPE', typed('application/x-www-form-urlencoded'), SEND_JSON],
  ['a file', 415, 'UNSUPPORTED_MEDIA_TYPE', typed(UPLOAD), SEND_JSON],
  ...['gzip', 'gzip, gzip', 'nonsense'].map((encoding): [string, number, string, Init, string] => [
    `the encoding ${encoding}`,
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    sent({ 'content-encoding': encoding }),
    'Compressed bodies are not supported. Send the body without `Content-Encoding`.',
  ]),
  ['a page', 406, 'NOT_ACCEPTABLE', sent({ accept: 'text/html' })],
  [
    'a result in parts',
    406,
    'NOT_ACCEPTABLE',
    sent({ accept: 'multipart/mixed; deferSpec=20220824' }),
    'No accepted media type is available. Accept application/graphql-response+json, application/json or text/event-stream, or for one list text/csv or application/x-ndjson.',
  ],
  ['a long body', 413, 'PAYLOAD_TOO_LARGE', { ...POST, body: BODY.padEnd(512_001) }],
  [
    'a long body of unknown length',
    413,
    'PAYLOAD_TOO_LARGE',
    { ...POST, body: streamOf(Buffer.alloc(300_000), Buffer.alloc(300_000)), duplex: 'half' },
  ],
])('a request is rejected because of its headers: %s (%i)', async (_what, status, code, init, message) => {
  // A stream is read once.
  const gateways = init.duplex ? [gateway] : [gateway, full];
  for (const { fetch } of gateways) {
    const { body, headers, ...answer } = await fetch(init);
    expect(answer.status).toBe(status);
    const extensions = { code, requestId: headers.get('x-request-id') };
    expect(body.errors).toMatchObject([{ ...(message && { message }), extensions }]);
  }
});

const NOT_AN_OBJECT = 'The body is not a JSON object such as {"query":"{ viewer { scopes } }"}.';
const MISSING = '`query` is missing. Send the text of a GraphQL document, as a string.';
const TWO = `query One { __typename } ${WRITE.replace('mutation', 'mutation Two')}`;

describe('invalid parameters are rejected before any call:', () => {
  const REFUSED: [body: string | object, message: string, at?: FetchGateway][] = [
    ['{', NOT_AN_OBJECT],
    ['', NOT_AN_OBJECT],
    ['[]', 'The array has no operations.'],
    [
      [{ query: LIST }],
      'Arrays of operations are not supported here. Send one operation as a JSON object.',
      withoutArrays,
    ],
    [{ query: 'x', variables: [] }, '`variables` must be a JSON object.'],
    [{ query: 'x', operationName: 1 }, '`operationName` must be a string.'],
    ...[
      brackets(33),
      `{"query":"x","variables":{"a":${brackets(5_000)}}}`,
      `{"query":"x","variables":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
      `{"query":"x","other":${brackets(5_000)}}`,
    ].map((body): [string, string] => [body, 'The body is nested more than 32 levels deep.']),
    [`{"a":[${'0,'.repeat(50_001)}0]}`, 'The body has more than 50000 commas and brackets.'],
    [`{"a":${brackets(100_000)}}`, 'The body has more than 50000 commas and brackets.'],
    ...[{}, { query: '' }, { query: null }, { query: 5 }].map((body): [object, string] => [body, MISSING]),
    [{ query: TWO }, 'Name the operation to run: `operationName`. The document has One, Two.'],
    [{ query: TWO, operationName: 'Three' }, 'There is no operation "Three". The document has One, Two.'],
    [
      { query: TYPENAME, operationName: 'One' },
      'There is no operation "One". The document has one operation without a name.',
    ],
    [{ query: TWO, operationName: 'c'.repeat(20_000) }, `There is no operation "${'c'.repeat(977)}…`],
  ];
  test.each(REFUSED.map(([body, message, at = gateway]) => ({ body, message, at })))(
    '$message',
    async ({ body, message, at: { post, calls } }) => {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ message, extensions: { code: 'BAD_REQUEST' } }]);
      expect(calls()).toEqual([]);
    },
  );

  test('malformed ones are not repeated', async () => {
    for (const body of ['{"token":"my-secret"', 'my-secret']) {
      expect((await gateway.post(body)).text).not.toContain('secret');
      expect((await gateway.get({ query: TYPENAME, variables: body })).text).not.toContain('secret');
    }
  });

  test('bytes that are not UTF-8', async () => {
    const latin1 = Buffer.from('{"query":"{ __typename } # é"}', 'latin1');
    const answer = await gateway.fetch({ ...POST, body: latin1 });
    expect(answer.body.errors).toMatchObject([{ message: 'The body is not UTF-8.' }]);
  });
});

/** The bytes of one character come in two chunks. */
function splitInside(): Init {
  const bytes = Buffer.from('{"query":"{ __typename } # é"}');
  const middle = bytes.indexOf(0xc3) + 1;
  return { ...POST, body: streamOf(bytes.subarray(0, middle), bytes.subarray(middle)), duplex: 'half' };
}

test.each([
  ['with a byte order mark', sent({}, `\uFEFF${BODY}`)],
  ['with exactly 512,000 bytes', sent({}, BODY.padEnd(512_000))],
  ['with a charset', typed('application/json;x=y;Charset = "UTF-8"')],
  ['with `Content-Encoding: Identity`', sent({ 'content-encoding': 'Identity' })],
  ['with a character in two chunks', splitInside()],
])('a body can be sent %s', async (_how, init) => {
  expect(await gateway.fetch(init)).toMatchObject({ status: 200, body: { data: {} } });
});

test('parameters can come in the URL', async () => {
  const query = 'query One { __typename } query Two($id: Boolean!) { __typename @include(if: $id) }';
  const parameters = { query, operationName: 'Two', variables: '{"id":true}', extensions: '' };
  expect(await gateway.get(parameters)).toMatchObject({ status: 200, body: { data: {} } });
  const marked = 'query ($id: ID!) { administration(id: $id) { internalId } }';
  expect(await gateway.get({ query: marked, variables: '{"id":"a?b"}' })).toMatchObject({
    body: { data: { administration: { internalId: 'a?b' } } },
  });
});

test.each<[Readonly<Record<string, string>>, string]>([
  [{ query: TYPENAME, variables: '{' }, '`variables` is not JSON.'],
  [{ x: '?', query: TYPENAME, variables: '{' }, '`variables` is not JSON.'],
  [{ query: TYPENAME, variables: '[]' }, '`variables` must be a JSON object.'],
  [{ query: TYPENAME, extensions: '{' }, '`extensions` is not JSON.'],
  [
    { query: TYPENAME, extensions: `{"a":${brackets(2_000)}}` },
    '`extensions` is nested more than 32 levels deep.',
  ],
  [{ variables: '{}' }, MISSING],
])('a URL with %j is rejected', async (parameters, message) => {
  const { status, body } = await gateway.get(parameters);
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ message, extensions: { code: 'BAD_REQUEST' } }]);
});

test('a slow body takes no slot, and its operation runs once it has arrived', async () => {
  const bytes = new TransformStream<Uint8Array, Uint8Array>();
  const slow = gateway.fetch({ ...POST, body: bytes.readable, duplex: 'half' });
  const writer = bytes.writable.getWriter();
  await writer.write(Buffer.from(`{"query":`));
  // There is a place for one operation alone.
  expect(codesIn(await gateway.post({ query: LIST }))).toEqual([]);
  expect(gateway.held()).toMatchObject({ operations: 0 });
  await writer.write(Buffer.from(`${JSON.stringify(WRITE)}}`));
  await writer.close();
  expect(codesIn(await slow)).toEqual([]);
  expect(gateway.calls()).toEqual(['GET /v1/debtors', 'PATCH /v1/tasks/400001/unmark_completed']);
});

test('`operationName` determines the operation that runs', async () => {
  expect(codesIn(await gateway.post({ query: TWO, operationName: 'One' }))).toEqual([]);
  expect(gateway.calls()).toEqual([]);
  expect(codesIn(await gateway.post({ query: TWO, operationName: 'Two' }))).toEqual([]);
  expect(gateway.calls()).toHaveLength(1);
});

test('a mutation by GET is rejected with advice, whether or not its document is cached', async () => {
  for (const parameters of [{ query: WRITE }, { query: WRITE }, { query: TWO, operationName: 'Two' }]) {
    const answer = await gateway.get(parameters);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(answer.body.errors).toMatchObject([
      { message: 'Send mutations with POST.', extensions: { code: 'METHOD_NOT_ALLOWED' } },
    ]);
    await gateway.post(parameters);
  }
  expect((await gateway.get({ query: WRITE })).status).toBe(405);
  expect(gateway.calls()).toHaveLength(3);
  expect(codesIn(await gateway.get({ query: TWO, operationName: 'One' }))).toEqual([]);
});

test.each(['', '*/*', 'multipart/mixed, */*'])('a subscription gets 406 for Accept: %j', async (accept) => {
  const headers = { ...BEARER, accept };
  for (const answer of [
    await gateway.post({ query: SUBSCRIPTION }, headers),
    await gateway.get({ query: SUBSCRIPTION }, headers),
  ]) {
    expect(answer.status).toBe(406);
    expect(answer.body.errors).toMatchObject([
      {
        message: `The response to a subscription is a stream. ${STREAM}`,
        extensions: { code: 'NOT_ACCEPTABLE' },
      },
    ]);
  }
  expect(gateway.calls()).toEqual([]);
});
