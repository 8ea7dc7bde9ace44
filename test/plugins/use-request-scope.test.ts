import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { BEARER } from '../support/gateway.ts';
import { ENDPOINT, type Init, LIST, TYPENAME, useFetchGateway } from './support.ts';

const ORIGIN = 'https://app.example';

/** Ends requests early, or fails, as a header says; and tells what the context has by then. */
let seenId: unknown;
const useEarlyEnd: Plugin = {
  onRequest({ request, serverContext, endResponse, fetchAPI }) {
    seenId = 'requestId' in serverContext ? serverContext.requestId : undefined;
    if (request.headers.has('x-end')) endResponse(new fetchAPI.Response('{}', { status: 418 }));
    if (request.headers.has('x-throw')) throw new Error('secret');
  },
};
const gateway = await useFetchGateway({ corsOrigins: [ORIGIN], plugins: [useEarlyEnd] });
const full = await useFetchGateway({ maxOperations: 0 });

const POST = { method: 'POST', headers: { 'content-type': 'application/json', ...BEARER } };
const json = (params: unknown) => ({ ...POST, body: JSON.stringify(params) });

describe('a response has the id of its request, and so have its errors:', () => {
  test.each<[string, number, Init, string?]>([
    ['data', 200, json({ query: LIST })],
    ['a syntax error', 200, json({ query: '{' })],
    ['an invalid document', 200, json({ query: '{ nonsense }' })],
    ['an error of REST', 200, { ...json({ query: LIST }), headers: { 'content-type': 'application/json' } }],
    ['no document', 400, json({})],
    ['no JSON', 400, { ...POST, body: '{' }],
    ['another path', 404, {}, 'http://localhost/nothing'],
    ['another method', 405, { method: 'PUT' }],
    ['a media type that is not served', 406, { headers: { accept: 'text/html' } }],
    ['a body that is too large', 413, json('x'.repeat(1_000_001))],
    ['a form', 415, { ...POST, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a' }],
    ['a preflight', 204, { method: 'OPTIONS', headers: { origin: ORIGIN } }],
    ['one that a plugin ends', 418, { ...json({}), headers: { ...POST.headers, 'x-end': '1' } }],
    ['one that a plugin fails', 500, { ...json({}), headers: { ...POST.headers, 'x-throw': '1' } }],
  ])('%s (%i)', async (_what, status, init, url = ENDPOINT) => {
    const headers = { ...init.headers, 'x-request-id': 'mine-1' };
    const answer = await gateway.fetch({ ...init, headers }, url);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toBe('mine-1');
    for (const { extensions } of answer.body.errors ?? []) expect(extensions.requestId).toBe('mine-1');
  });

  test('too many operations (503)', async () => {
    const answer = await full.post({ query: LIST }, { 'x-request-id': 'mine-2' });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([503, 'mine-2']);
    expect(answer.body.errors).toMatchObject([{ extensions: { requestId: 'mine-2' } }]);
  });
});

const idsOf = async (requestId: string) => {
  const { headers, body } = await full.post({ query: TYPENAME }, { 'x-request-id': requestId });
  return { header: headers.get('x-request-id'), inErrors: body.errors?.map((e) => e.extensions.requestId) };
};

test.each(['a', 'A-1.b_2', 'x'.repeat(128)])('the id %j of a request is kept', async (requestId) => {
  expect(await idsOf(requestId)).toEqual({ header: requestId, inErrors: [requestId] });
});

test.each(['', 'a b', '<script>', 'a"b', 'é', 'x'.repeat(129), 'a,b', 'a;b'])(
  'the id %j of a request is unsafe, and is replaced',
  async (requestId) => {
    const { header, inErrors } = await idsOf(requestId);
    expect(header).toMatch(/^[\da-f-]{36}$/);
    expect(inErrors).toEqual([header]);
  },
);

test('requests without an id get different ones', async () => {
  const answers = await Promise.all([gateway.post({ query: TYPENAME }), gateway.post({ query: TYPENAME })]);
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(2);
});

test('plugins of users find the id already when a request comes', async () => {
  const { headers } = await gateway.post({ query: TYPENAME });
  expect(seenId).toBe(headers.get('x-request-id'));
});

/** Fails where nothing but the scope of the request catches it. */
const useBrokenResult: Plugin = {
  onResultProcess() {
    throw new Error('secret');
  },
};
const broken = await useFetchGateway({ plugins: [useBrokenResult] });

test('a fault in the handling of a request is answered, logged, and what was begun is ended', async () => {
  const { status, body, text, headers } = await broken.post({ query: LIST });
  expect(status).toBe(500);
  const requestId = headers.get('x-request-id');
  expect(body.errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } }]);
  expect(text).not.toContain('secret');
  expect(broken.log).toMatchObject([{ message: 'unexpected error', details: { requestId } }]);
});
