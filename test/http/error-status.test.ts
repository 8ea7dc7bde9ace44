import { GraphQLError } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { GatewayResponse } from '../../src/gateway/request.ts';
import { respondWithError } from '../../src/gateway/response.ts';
import { type AbortReason, Cancellation } from '../../src/rest/client/cancellation.ts';
import { RestError } from '../../src/rest/errors.ts';
import { WIRE_TEXT } from '../../src/rest/wire-text.ts';
import { startGateway } from '../support/gateway.ts';

const RESPONSE_JSON = 'application/graphql-response+json';
const BODY = '{"query":"{ __typename }"}';

/** What a client gets of a response that the gateway has made. */
async function responseTo(answer: GatewayResponse): Promise<Response> {
  const gateway = await startGateway({
    handler: { gateway: { run: async () => answer, ownerOf: () => 'owner' } },
  });
  onTestFinished(() => gateway.close());
  return gateway.post(BODY, { accept: RESPONSE_JSON });
}

/** The error of an operation that has ended in the middle, as where a large answer is being made. */
function stopped(reason: AbortReason): GraphQLError {
  const cancellation = new Cancellation();
  cancellation.abort(reason);
  return new GraphQLError('', { originalError: cancellation.error() });
}

const respond = (error: unknown) =>
  respondWithError(error, { requestId: 'id', log: () => {}, text: WIRE_TEXT });

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
    const response = await responseTo(respond(error));
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('retry-after')).toBe(retryAfter);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code } }] });
  });

  test('of the request is a 4xx in the type that was asked for', async () => {
    const response = await responseTo(
      respond(new GraphQLError('No.', { extensions: { code: 'BAD_REQUEST' } })),
    );
    expect([response.status, response.headers.get('retry-after')]).toEqual([400, null]);
    expect(response.headers.get('content-type')).toBe(`${RESPONSE_JSON}; charset=utf-8`);
  });
});
