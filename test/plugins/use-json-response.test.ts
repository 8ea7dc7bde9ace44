import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { codesIn, type ReadResponse } from '../library/support.ts';
import { ADMINISTRATION, BASIC, BEARER } from '../support/gateway.ts';
import { LIST, TYPENAME, useFetchGateway, WRITE } from './support.ts';

const JSON_TYPE = 'application/json';
const RESPONSE_JSON = 'application/graphql-response+json';
const UTF8 = '; charset=utf-8';

const gateway = await useFetchGateway();
const brief = ({ status, headers }: ReadResponse) => [status, headers.get('content-type')?.replace(UTF8, '')];

describe('the media type of an answer', () => {
  test.each([
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [RESPONSE_JSON, RESPONSE_JSON],
    [`${RESPONSE_JSON}, ${JSON_TYPE}`, RESPONSE_JSON],
    [`${JSON_TYPE}, ${RESPONSE_JSON}`, JSON_TYPE],
    [`${JSON_TYPE};q=0.1, ${RESPONSE_JSON};q=0.9`, RESPONSE_JSON],
    [`${RESPONSE_JSON};q=0.1, ${JSON_TYPE};q=0.9`, JSON_TYPE],
    [`${JSON_TYPE};q=0, */*`, RESPONSE_JSON],
    ['text/html;q=1, */*;q=0.1', JSON_TYPE],
  ])('for %j is %s', async (accept, type) => {
    expect(brief(await gateway.post({ query: TYPENAME }, { accept }))).toEqual([200, type]);
    expect(brief(await gateway.get({ query: TYPENAME }, { accept }))).toEqual([200, type]);
  });

  test.each([
    'text/html',
    'application/*;q=0, */*',
    `${JSON_TYPE};q=0`,
    'text/event-stream;q=0',
    'multipart/mixed',
  ])('is none for %j: nothing is executed', async (accept) => {
    for (const query of [LIST, WRITE]) {
      const answer = await gateway.post({ query }, { ...BEARER, accept });
      expect([brief(answer), codesIn(answer)]).toEqual([[406, JSON_TYPE], ['NOT_ACCEPTABLE']]);
    }
    expect(gateway.calls()).toEqual([]);
  });
});

describe('the status of an answer', () => {
  const accepted = (accept: string) => ({ ...BEARER, accept });

  test.each([
    ['data', { query: LIST }, 200, 200],
    ['data with an error', { query: LIST.replace(ADMINISTRATION, '2001') }, 200, 200],
    ['a document that cannot be read', { query: '{' }, 200, 400],
    ['an invalid document', { query: '{ nonsense }' }, 200, 400],
    ['variables that do not fit', { query: 'query ($id: ID!) { node(id: $id) { id } }' }, 400, 400],
    ['an unknown operation', { query: TYPENAME, operationName: 'x' }, 400, 400],
    ['no document', {}, 400, 400],
  ])('with %s follows the media type', async (_what, params, json, response) => {
    expect(brief(await gateway.post(params, accepted(JSON_TYPE)))).toEqual([json, JSON_TYPE]);
    expect(brief(await gateway.post(params, accepted(RESPONSE_JSON)))).toEqual([response, RESPONSE_JSON]);
  });

  test('of a write is never one that makes clients send it again', async () => {
    gateway.rest.misbehave({ kind: 'status', status: 503 });
    const answer = await gateway.post({ query: WRITE }, accepted(RESPONSE_JSON));
    expect(answer).toMatchObject({ status: 200, body: { data: { unmarkTaskCompleted: null } } });
    expect(answer.headers.get('retry-after')).toBeNull();
  });
});

test.each<[string, object | string]>([
  ['data', { query: TYPENAME }],
  ['a token', { query: 'mutation { createClientCredentialsToken { token { expiresAt } } }' }],
  ['an error of the document', { query: '{ nonsense }' }],
  ['no JSON', '{'],
])('an answer is not cached between the gateway and its client: %s', async (_what, params) => {
  const { headers } = await gateway.post(params, BASIC);
  expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
    'private, no-store',
    'Accept, Accept-Encoding',
  ]);
});

test('errors stand before the data, and nothing is sent that only says the status', async () => {
  const { text } = await gateway.post({ query: LIST }, {});
  expect(text).toMatch(/^\{"errors":\[\{"message":".*"data":\{"debtors":null\},"extensions":\{/);
  expect(text).not.toContain('"http"');
  const refused = await gateway.post({});
  expect(Object.keys(refused.body)).toEqual(['errors']);
});

/** What a plugin of a user makes of a result. */
let result: object | undefined;
let last: object | undefined;
const useResult: Plugin = {
  onExecute: () => ({
    onExecuteDone: ({ setResult }) => {
      if (result) setResult(result);
    },
  }),
  onResultProcess({ setResult }) {
    if (last) setResult(last);
  },
};
const plugged = await useFetchGateway({ plugins: [useResult] });

describe('a plugin of a user may give', () => {
  test.each<[string, object, object]>([
    [
      'the status and headers of an answer with data',
      { data: { a: 1 }, extensions: { http: { status: 203, headers: { 'x-a': 'b' } }, other: 1 } },
      { status: 203, body: { data: { a: 1 }, extensions: { other: 1 } } },
    ],
    [
      'those of an error',
      {
        errors: [
          new GraphQLError('Gone.', {
            extensions: { code: 'GONE', http: { status: 410, headers: { 'x-a': 'b' } } },
          }),
        ],
      },
      { status: 410, body: { errors: [{ message: 'Gone.', extensions: { code: 'GONE' } }] } },
    ],
  ])('%s, which are not part of the body', async (_what, given, expected) => {
    result = given;
    const answer = await plugged.post({ query: TYPENAME });
    expect(answer).toMatchObject(expected);
    expect(answer.headers.get('x-a')).toBe('b');
    expect(answer.text).not.toContain('"http"');
  });

  test('data of any shape and script', async () => {
    result = { data: { text: 'Żółć 😀', list: [[1, null], { a: true }] } };
    expect((await plugged.post({ query: LIST })).body.data).toEqual({
      text: 'Żółć 😀',
      list: [[1, null], { a: true }],
    });
    result = { data: null };
    expect(await plugged.post({ query: LIST })).toMatchObject({ status: 200, body: { data: null } });
  });

  test('another result at the very last', async () => {
    last = { data: { last: 'ë' }, extensions: { by: 'Ł' } };
    const { body } = await plugged.post({ query: LIST });
    last = undefined;
    expect(body).toEqual({ data: { last: 'ë' }, extensions: { by: 'Ł' } });
  });

  test('an `http` that is none', async () => {
    result = { data: { a: 1 }, extensions: { http: 'x' } };
    expect(await plugged.post({ query: TYPENAME })).toMatchObject({ status: 200, body: { data: { a: 1 } } });
  });
});
