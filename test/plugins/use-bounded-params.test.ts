import { describe, expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { BEARER } from '../support/gateway.ts';
import { type Init, JSON_BODY, LIST, TYPENAME, useFetchGateway, WRITE } from './support.ts';

const gateway = await useFetchGateway({}, { MAX_OPERATIONS: '1' });
const full = await useFetchGateway({ maxOperations: 0 });

const POST = { method: 'POST', headers: { ...JSON_BODY, ...BEARER } };
const BODY = JSON.stringify({ query: TYPENAME });
const typed = (type: string) => ({ ...POST, headers: { 'content-type': type }, body: BODY });
const encoded = (encoding: string) => ({
  ...POST,
  headers: { ...JSON_BODY, 'content-encoding': encoding },
  body: BODY,
});
const streamOf = (...chunks: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

/** Those that are refused before their operation is admitted, so that a full gateway refuses them just the same. */
describe.each([
  ['a gateway', gateway],
  ['a gateway that is full', full],
])('%s refuses', (_which, { fetch }) => {
  test.each<[string, number, string, Init]>([
    ['another method', 405, 'METHOD_NOT_ALLOWED', { method: 'DELETE' }],
    ['HEAD', 405, 'METHOD_NOT_ALLOWED', { method: 'HEAD' }],
    ['no content type', 400, 'BAD_REQUEST', { ...POST, headers: {}, body: Buffer.from(BODY) }],
    ['text', 415, 'UNSUPPORTED_MEDIA_TYPE', typed('text/plain')],
    ['a form', 415, 'UNSUPPORTED_MEDIA_TYPE', typed('application/x-www-form-urlencoded')],
    ['files', 415, 'UNSUPPORTED_MEDIA_TYPE', typed('multipart/form-data; boundary=x')],
    ['a document as it is', 415, 'UNSUPPORTED_MEDIA_TYPE', typed('application/graphql')],
    ['another charset', 415, 'UNSUPPORTED_MEDIA_TYPE', typed('application/json; charset=latin1')],
    ['a compressed body', 415, 'UNSUPPORTED_MEDIA_TYPE', encoded('gzip')],
    [
      'a media type that is not served',
      406,
      'NOT_ACCEPTABLE',
      { ...POST, headers: { ...JSON_BODY, accept: 'text/html' }, body: BODY },
    ],
    ['a long body', 413, 'PAYLOAD_TOO_LARGE', { ...POST, body: BODY.padEnd(1_000_001) }],
    [
      'a long body of unknown length',
      413,
      'PAYLOAD_TOO_LARGE',
      { ...POST, body: streamOf(Buffer.alloc(600_000), Buffer.alloc(600_000)), duplex: 'half' },
    ],
  ])('%s (%i)', async (_what, status, code, init) => {
    const answer = await fetch(init);
    expect([answer.status, codesIn(answer)]).toEqual([status, [code]]);
  });
});

describe('parameters', () => {
  const NOT_AN_OBJECT = 'The body is not a JSON object such as {"query":"{ viewer { scopes } }"}.';
  test.each([
    ['no JSON', '{', NOT_AN_OBJECT],
    ['a document alone', '{ viewer { scopes } }', NOT_AN_OBJECT],
    ['nothing', '', NOT_AN_OBJECT],
    ['a text', '"x"', NOT_AN_OBJECT],
    ['an array of nothing', '[]', 'The array has no operations.'],
    ['variables that are a list', '{"query":"x","variables":[]}', '`variables` takes a JSON object.'],
    [
      'an operationName that is a number',
      '{"query":"x","operationName":1}',
      '`operationName` takes a string.',
    ],
    ['extensions that are a text', '{"query":"x","extensions":"x"}', '`extensions` takes a JSON object.'],
    [
      'what is nested deeply',
      `${'['.repeat(33)}${']'.repeat(33)}`,
      'The body is nested more than 32 levels deep.',
    ],
    [
      'very many values',
      `{"a":[${'0,'.repeat(50_001)}0]}`,
      'The body has more than 50000 commas and brackets.',
    ],
  ])('that are %s are refused, in words of our own', async (_what, body, message) => {
    const answer = await gateway.post(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ message, extensions: { code: 'BAD_REQUEST' } }]);
  });

  test('are not echoed where they cannot be read', async () => {
    for (const body of ['{"token":"my-secret"', 'my-secret']) {
      expect((await gateway.post(body)).text).not.toContain('secret');
      expect((await gateway.get({ query: TYPENAME, variables: body })).text).not.toContain('secret');
    }
  });

  test('have to be UTF-8', async () => {
    const latin1 = Buffer.from('{"query":"{ __typename } # é"}', 'latin1');
    const answer = await gateway.fetch({ ...POST, body: latin1 });
    expect([answer.status, codesIn(answer)]).toEqual([400, ['BAD_REQUEST']]);
    expect(answer.text).toContain('The body is not UTF-8.');
  });

  test.each([
    ['in one piece', { ...POST, body: BODY }],
    ['with a byte order mark', { ...POST, body: `\uFEFF${BODY}` }],
    ['of exactly as many bytes as are read', { ...POST, body: BODY.padEnd(512_000) }],
    ['of a type with a charset', typed('application/json; charset=UTF-8')],
    ['that say they are not compressed', encoded('identity')],
    ['with a character in two chunks', splitInside()],
  ])('may come %s', async (_how, init) => {
    expect(await gateway.fetch(init)).toMatchObject({ status: 200, body: { data: {} } });
  });

  /** The bytes of one character come in two chunks. */
  function splitInside() {
    const bytes = Buffer.from('{"query":"{ __typename } # é"}');
    const middle = bytes.indexOf(0xc3) + 1;
    const body = streamOf(bytes.subarray(0, middle), bytes.subarray(middle));
    return { ...POST, body, duplex: 'half' as const };
  }

  test('may come in the address', async () => {
    const query = 'query One { __typename } query Two($id: Boolean!) { __typename @include(if: $id) }';
    const parameters = { query, operationName: 'Two', variables: '{"id":true}', extensions: '' };
    expect(await gateway.get(parameters)).toMatchObject({ status: 200, body: { data: {} } });
    const refused = await gateway.get({ query, variables: '{' });
    expect(refused.body.errors).toMatchObject([{ message: '`variables` is not JSON.' }]);
    expect(codesIn(await gateway.get({}))).toEqual(['BAD_REQUEST']);
  });

  test('are parsed after the admission: those of a full gateway not at all', async () => {
    expect(codesIn(await full.post('{'))).toEqual(['OVERLOADED']);
    expect(codesIn(await full.get({ query: TYPENAME, variables: '{' }))).toEqual(['OVERLOADED']);
  });
});

test('a body that is slow takes no place of an operation, and is served once it is there', async () => {
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
