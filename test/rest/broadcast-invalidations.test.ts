import { expect, test } from 'vitest';
import { createRestCache } from '../../src/rest/cache/rest-cache.ts';
import type { RestResponse } from '../../src/rest/client/attempt.ts';
import { createRestClient } from '../../src/rest/client/client.ts';
import { RestError } from '../../src/rest/errors.ts';
import { makeCall } from '../../src/rest/make-call.ts';
import { type RestService, RestSession } from '../../src/rest/session.ts';
import { withResolver } from '../support/with-resolver.ts';

const OK = { status: 200, body: {}, bytes: 2 };
const failed = (status?: number) => {
  const upstream = { method: 'PATCH', path: '/things', ...(status !== undefined && { status }) };
  return new RestError('UPSTREAM_UNAVAILABLE', 'It failed.', { upstream });
};

/** Opens a session whose calls end like this, in a process with other replicas to notify. */
function sessionThat(
  send: () => Promise<RestResponse>,
  broadcastInvalidation: (credential: string) => Promise<void>,
): RestSession {
  const client = createRestClient({ url: new URL('http://127.0.0.1'), timeoutMs: 1000 });
  const service = {
    client: { ...client, send },
    cache: createRestCache(60_000, undefined, { credentialKey: Buffer.alloc(32), broadcastInvalidation }),
    parameterNames: {},
  } satisfies RestService;
  return new RestSession(service, { credentials: { bearer: 'Bearer token' }, limitKey: 'owner' });
}

test.each<['PATCH' | 'GET', string, () => Promise<RestResponse>]>([
  ['PATCH', 'that succeeded', async () => OK],
  ['PATCH', 'with the response 500', () => Promise.reject(failed(500))],
  ['PATCH', 'with the response 404', () => Promise.reject(failed(404))],
  ['PATCH', 'whose response was lost', () => Promise.reject(failed())],
  ['GET', 'with the response 401', () => Promise.reject(failed(401))],
])('a %s %s ends after its invalidation was broadcast', async (method, _what, send) => {
  const { promise, resolve } = withResolver();
  const order: string[] = [];
  const session = sessionThat(send, () => promise.then(() => void order.push('broadcast')));
  const end = () => void order.push('ended');
  const call = {
    method,
    endpoint: 'x',
    path: '/things',
    credential: 'bearer',
    parameters: () => ({}),
  } as const;
  const sent = makeCall(session, call, (response) => response).then(end, end);
  await new Promise((done) => setImmediate(done));
  expect(order).toEqual([]);
  resolve();
  await sent;
  expect(order).toEqual(['broadcast', 'ended']);
});
