import { expect, test } from 'vitest';
import { createRestCache } from '../../src/rest/cache/rest-cache.ts';
import { createRestClient } from '../../src/rest/client/client.ts';
import { readList } from '../../src/rest/list.ts';
import { documented, type Resource } from '../../src/rest/resource.ts';
import { RestSession } from '../../src/rest/session.ts';
import { id } from '../../src/rest/values.ts';

const things: Resource = {
  name: 'things',
  type: 'Thing',
  path: '/things',
  credential: 'bearer',
  takesFields: true,
  members: { internalId: id.required('Id.', 'id') },
  filters: { administrationId: documented('administration_id') },
};

const client = createRestClient({ url: new URL('http://127.0.0.1'), timeoutMs: 1000 });
const cache = createRestCache(0);
const sent: string[] = [];

/** An operation of the one caller, which may make so many calls. */
function session(limitKey: string, maxCalls: number): RestSession {
  const send = async () => {
    sent.push(limitKey);
    return { status: 200, body: { data: [] }, bytes: 2 };
  };
  const credentials = { bearer: 'Bearer token' };
  const service = { client: { ...client, send }, cache, parameterNames: {} };
  return new RestSession(service, { credentials, limitKey, maxCalls });
}

test('an operation can read a list that another one could not read for lack of calls', async () => {
  const spent = session('spent', 0);
  const other = session('other', 1);
  const request = { filters: { administrationId: '1' }, fields: {}, first: 10 };
  // Both start in one turn, so that the second finds the call of the first.
  const [failed, read, again] = await Promise.all([
    readList(spent, things, request),
    readList(other, things, request),
    readList(spent, things, request),
  ]);
  expect(failed.failure).toMatchObject({ code: 'OPERATION_TOO_EXPENSIVE', rows: 0 });
  // A call that another operation has in flight costs nothing.
  expect([read.failure, again.failure]).toEqual([undefined, undefined]);
  expect(sent).toEqual(['other']);
  expect(spent.calls).toMatchObject([{ source: 'coalesced' }]);
});
