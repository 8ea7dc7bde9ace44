import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { type AbortReason, Cancellation } from '../../src/rest/cancellation.ts';
import { RestError } from '../../src/rest/errors.ts';
import type { Observation } from '../../src/telemetry/observation.ts';
import { NO_TELEMETRY } from '../../src/telemetry/telemetry.ts';
import { codesIn } from '../library/support.ts';
import { BEARER } from '../support/gateway.ts';
import { changeRow } from '../support/rest-pages.ts';
import { LIST, TYPENAME, useFetchGateway } from './support.ts';

const RESPONSE_JSON = 'application/graphql-response+json';

/** What the next operation ends with. */
let failure: unknown;
let added: GraphQLError | undefined;
/** The hook of the plugin that adds it to the result. */
let addedIn: 'onExecuteDone' | 'onResultProcess' | undefined;
const useFailure: Plugin = {
  onExecute() {
    if (failure) throw failure;
    return {
      onExecuteDone({ result, setResult }) {
        if (added && addedIn === 'onExecuteDone' && !(Symbol.asyncIterator in result))
          setResult({ ...result, errors: [added] });
      },
    };
  },
  onResultProcess({ result, setResult }) {
    if (added && addedIn === 'onResultProcess') setResult({ ...result, errors: [added] });
  },
};
let codes: readonly string[] = [];
const telemetry = {
  ...NO_TELEMETRY,
  end(_request: object, _sent: object, observed: Observation) {
    codes = [...observed.codes];
  },
};
const gateway = await useFetchGateway({}, {}, { telemetry });
const failing = await useFetchGateway({ plugins: [useFailure] }, {}, { telemetry });

function failWith(error: unknown) {
  failure = error;
  return failing.post({ query: TYPENAME }, { accept: RESPONSE_JSON }).finally(() => {
    failure = undefined;
  });
}

/** The error of an operation that has ended in the middle, as where a large answer is being made. */
function stopped(reason: AbortReason): GraphQLError {
  const cancellation = new Cancellation();
  cancellation.abort(reason);
  return new GraphQLError('', { originalError: cancellation.error() });
}

describe('a response of an error alone', () => {
  test.each([
    ['memory that others need', stopped('evicted'), 503, 'OVERLOADED', '1'],
    [
      'a queue that is full',
      new RestError('OVERLOADED', 'Too many.', { retryAfter: 7 }),
      503,
      'OVERLOADED',
      '7',
    ],
    ['a deadline that has passed', stopped('timeout'), 504, 'UPSTREAM_TIMEOUT', null],
    ['a fault', new Error('secret'), 500, 'INTERNAL_SERVER_ERROR', null],
  ])('of %s is a 5xx in plain JSON', async (_what, error, status, code, retryAfter) => {
    const answer = await failWith(error);
    expect([answer.status, codesIn(answer)]).toEqual([status, [code]]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    expect(codes).toEqual([code]);
  });

  test('of the request is a 4xx in the type that was asked for', async () => {
    const answer = await failWith(new GraphQLError('No.', { extensions: { code: 'BAD_REQUEST' } }));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([400, null]);
    expect(answer.headers.get('content-type')).toBe(`${RESPONSE_JSON}; charset=utf-8`);
  });
});

describe('an error of a plugin of a user', () => {
  test.each([
    ['an Error', new Error('my-secret')],
    ['a text', 'my-secret'],
    ['an object', { message: 'my-secret' }],
    [
      'an Error inside a GraphQLError',
      new GraphQLError('my-secret', { originalError: new Error('my-secret') }),
    ],
  ])('that is %s shows nothing of itself, and is logged without its message', async (_what, error) => {
    const { status, text, body, headers } = await failWith(error);
    const requestId = headers.get('x-request-id');
    expect(status).toBe(500);
    expect(body.errors).toEqual([
      { message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } },
    ]);
    expect(text).not.toContain('secret');
    expect(failing.log).toMatchObject([
      { level: 'error', message: 'unexpected error', details: { requestId } },
    ]);
    expect(JSON.stringify(failing.log)).not.toContain('my-secret');
  });

  test('that is meant for clients is shown, with its code and nothing else of its extensions', async () => {
    const { body } = await failWith(
      new GraphQLError('Not today.', { extensions: { code: 'CLOSED', secret: 'my-secret' } }),
    );
    expect(body.errors).toEqual([
      { message: 'Not today.', extensions: { code: 'CLOSED', requestId: expect.any(String) } },
    ]);
    expect([codes, failing.log]).toEqual([['CLOSED'], []]);
  });

  test('has a code also where it was given none', async () => {
    expect(codesIn(await failWith(new GraphQLError('Not today.')))).toEqual(['BAD_USER_INPUT']);
  });

  test.each(['onExecuteDone', 'onResultProcess'] as const)('is converted where %s adds it', async (hook) => {
    addedIn = hook;
    added = new GraphQLError('x', { path: ['a'], originalError: new Error('my-secret') });
    const { status, body, text } = await failing.post({ query: TYPENAME });
    added = undefined;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: { __typename: 'Query' },
      errors: [{ message: 'Unexpected error.', path: ['a'] }],
    });
    expect(text).not.toContain('secret');
  });

  test('whose code may be anything is told to telemetry as another one', async () => {
    await failWith(new GraphQLError('x', { extensions: { code: 'my secret code' } }));
    expect(codes).toEqual(['OTHER']);
  });
});

test('a long message is cut', async () => {
  const { body } = await failWith(new GraphQLError('x'.repeat(5_000)));
  expect(body.errors?.[0]?.message).toBe(`${'x'.repeat(1_000)}…`);
});

test('errors of REST have their codes, what the service said, and where they are', async () => {
  const unknown = await gateway.post({ query: LIST }, { authorization: 'Bearer invented' });
  expect(unknown.body.errors).toMatchObject([
    { path: ['debtors'], extensions: { code: 'UNAUTHENTICATED', upstream: { status: 401 } } },
  ]);
  gateway.rest.misbehave(changeRow(1, { name: 5 }));
  const broken = await gateway.post({ query: LIST });
  expect(broken.body.errors).toMatchObject([
    { path: ['debtors', 'nodes', 1, 'name'], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } },
  ]);
  expect(gateway.log).toEqual([]);
});

test('errors before the execution are converted as well', async () => {
  for (const [params, code] of [
    ['{', 'BAD_REQUEST'],
    [{ query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    [{ query: '{ nonsense }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ] as const) {
    const { body, headers } = await gateway.post(params, BEARER);
    const requestId = headers.get('x-request-id');
    expect(body.errors).toMatchObject([{ extensions: { code, requestId } }]);
    expect(body.errors?.map(({ extensions }) => Object.keys(extensions))).toEqual([['code', 'requestId']]);
    expect(codes).toEqual([code]);
  }
});
