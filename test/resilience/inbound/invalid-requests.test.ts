import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { isObject, parseJson } from '../../../src/rest/json.ts';
import { BASIC, BEARER, freshGateway, useGateway } from '../../support/gateway.ts';
import { exchange } from '../../support/sockets.ts';

const gateway = await useGateway();

const TYPENAME = JSON.stringify({ query: '{ __typename }' });
const MUTATION = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }';

/** Every refusal is JSON, with a code and the id of the request, before any call. */
async function expectRefusal(response: Response, status: number, code: string, message?: RegExp) {
  const requestId = response.headers.get('x-request-id');
  expect({ status: response.status, ...(await jsonOf(response)) }).toMatchObject({
    status,
    errors: [{ message: expect.stringMatching(message ?? /./), extensions: { code, requestId } }],
  });
  expect(gateway.calls()).toEqual([]);
}

async function jsonOf(response: Response): Promise<object> {
  const text = await response.text();
  const value = parseJson(text);
  if (!isObject(value)) throw new TypeError(`no JSON object: ${text.slice(0, 200)}`);
  return value;
}

describe('a Host header', () => {
  const ask = (headers: string) =>
    exchange(
      gateway.url,
      `GET /graphql?query=%7B__typename%7D HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`,
    );

  test.each(['a b', '[', 'http://x', 'x:port', 'x:999999', 'a@b', 'x/../y', 'x#y', '%00', '[::1', ''])(
    'that is malformed is refused: %j',
    async (host) => {
      const { status, text } = await ask(`Host: ${host}\r\n`);
      expect(text).not.toMatch(/ at |node_modules|TypeError/);
      expect(status).toBe(400);
      expect(text).toContain('"code":"BAD_REQUEST"');
    },
  );

  test.each(['localhost', 'a-b.example:443', '[::1]:4000'])('is accepted: %s', async (host) => {
    expect(await ask(`Host: ${host}\r\n`)).toMatchObject({ status: 200 });
  });

  test('has to be there', async () => {
    expect(await ask('')).toMatchObject({ status: 400 });
  });
});

const brackets = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const QUERY = '"query":"query ($a: [ID!]!) { nodes(ids: $a) { id } }"';
const DEEP = /^(The body|`(variables|extensions)`) is nested more than 32 levels deep\.$/;
const MANY = /^The body has more than 50000 commas and brackets\.$/;

describe('a body', () => {
  const send = (body: BodyInit, contentType?: string) =>
    fetch(gateway.url, {
      method: 'POST',
      headers: { ...BEARER, ...(contentType !== undefined && { 'content-type': contentType }) },
      body,
    });

  test.each([
    ['a form', 'application/x-www-form-urlencoded', new URLSearchParams({ query: MUTATION }).toString()],
    ['multipart', 'multipart/form-data; boundary=x', '--x--'],
    ['plain text', 'text/plain', JSON.stringify({ query: MUTATION })],
    ['GraphQL alone', 'application/graphql', MUTATION],
    ['JSON by another name', 'application/jsonp', JSON.stringify({ query: MUTATION })],
  ])('that is %s is not read', async (_what, contentType, body) => {
    await expectRefusal(await send(body, contentType), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test('without a content type is not read', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ query: MUTATION }));
    await expectRefusal(await send(bytes), 400, 'BAD_REQUEST');
  });

  test.each<[string, string, RegExp?]>([
    ['nothing', ''],
    ['no JSON', '{"query":'],
    ['a number', '5'],
    ['null', 'null'],
    ['no query', '{}'],
    ['a query that is a number', '{"query":5}'],
    ['variables that are text', '{"query":"{ __typename }","variables":"{}"}'],
    ['variables that are a list', '{"query":"{ __typename }","variables":[]}'],
    ['5,000 levels of lists', `{${QUERY},"variables":{"a":${brackets(5_000)}}}`, DEEP],
    ['5,000 levels of objects', `{${QUERY},"variables":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`, DEEP],
    ['5,000 levels in extensions', `{${QUERY},"extensions":{"a":${brackets(5_000)}}}`, DEEP],
    ['levels in a member that is not read', `{${QUERY},"other":${brackets(5_000)}}`, DEEP],
    ['levels behind quotes', `{"query":"{ a } # \\"\\\\\\" [","variables":{"a":${brackets(33)}}}`, DEEP],
    ['100,000 levels', `{${QUERY},"variables":{"a":${brackets(100_000)}}}`, MANY],
    ['many empty lists', `{${QUERY},"variables":{"a":[${'[],'.repeat(150_000)}1]}}`, MANY],
    ['many numbers', `{${QUERY},"variables":{"a":[${'1,'.repeat(200_000)}1]}}`, MANY],
  ])('of %s is refused', async (_what, body, message) => {
    await expectRefusal(await send(body, 'application/json'), 400, 'BAD_REQUEST', message);
  });

  test('of more than 512 kB is refused, with a length or without', async () => {
    const large = JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(1_000_000) } });
    await expectRefusal(await send(large, 'application/json'), 413, 'PAYLOAD_TOO_LARGE');
    const { status, text } = await exchange(
      gateway.url,
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n' +
        `${large.length.toString(16)}\r\n${large}\r\n`,
    );
    expect([status, text]).toEqual([413, expect.stringContaining('PAYLOAD_TOO_LARGE')]);
  });
});

describe('a GET', () => {
  const get = (query: string) => fetch(`${gateway.url}?${query}`, { headers: BASIC });

  test('never runs a mutation', async () => {
    const query = encodeURIComponent('mutation { createClientCredentialsToken { token { accessToken } } }');
    await expectRefusal(await get(`query=${query}`), 405, 'METHOD_NOT_ALLOWED');
  });

  test.each<[string, string, RegExp?]>([
    ['variables that are no JSON', 'query={__typename}&variables={'],
    ['variables that are no JSON behind a second question mark', 'x=?&query={__typename}&variables={'],
    ['variables that are a list', 'query={__typename}&variables=[]'],
    ['extensions that are no JSON', 'query={__typename}&extensions={'],
    ['deep variables', `query={__typename}&variables={"a":${brackets(2_000)}}`, DEEP],
    ['deep extensions', `query={__typename}&extensions={"a":${brackets(2_000)}}`, DEEP],
    ['no query', 'variables={}'],
  ])('with %s is refused', async (_what, query, message) => {
    await expectRefusal(await get(query), 400, 'BAD_REQUEST', message);
  });

  test('may hold a question mark', async () => {
    const query = 'query ($id: ID!) { administration(id: $id) { internalId } }';
    const response = await get(`query=${encodeURIComponent(query)}&variables={"id":"a?b"}`);
    expect(await jsonOf(response)).toMatchObject({ data: { administration: { internalId: 'a?b' } } });
  });
});

describe('any other request', () => {
  test.each(['PUT', 'DELETE', 'PATCH'])('%s is refused', async (method) => {
    const response = await fetch(gateway.url, { method });
    expect(response.headers.get('allow')).toBe('GET, POST');
    await expectRefusal(response, 405, 'METHOD_NOT_ALLOWED');
  });

  test.each(['/', '/graphql/', '/graphql/x', '/..%2f', '//graphql'])('for %s is refused', async (path) => {
    await expectRefusal(await fetch(new URL(gateway.url).origin + path), 404, 'NOT_FOUND');
  });
});

/** A fault where Yoga catches nothing. */
const FAULTY: Plugin = {
  onResultProcess() {
    throw new Error('s3cret');
  },
};

test('an unexpected error of the gateway is a 500 with a code, and a line in the log without its message', async () => {
  const lines: unknown[][] = [];
  const faulty = await freshGateway({
    gateway: { plugins: [FAULTY] },
    handler: { log: (...line) => lines.push(line) },
  });
  const response = await faulty.post(TYPENAME, BEARER);
  const requestId = response.headers.get('x-request-id');
  await expectRefusal(response, 500, 'INTERNAL_SERVER_ERROR');
  expect(lines).toEqual([
    ['error', 'unexpected error', { requestId, error: 'Error', at: expect.arrayContaining([]) }],
  ]);
  expect(JSON.stringify(lines)).not.toContain('s3cret');
});
