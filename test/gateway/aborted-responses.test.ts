import { expect, test } from 'vitest';
import { createContext } from '../../src/gateway/context.ts';
import { SharedBudget } from '../../src/limits/shared-budget.ts';
import { publicError } from '../../src/plugins/errors.ts';
import { RestCache } from '../../src/rest/cache/rest-cache.ts';
import { Cancellation } from '../../src/rest/client/cancellation.ts';
import { createRestClient } from '../../src/rest/client/client.ts';

const client = createRestClient({ url: new URL('http://127.0.0.1:1'), timeoutMs: 1_000 });

function start(cancellation: Cancellation) {
  const options = {
    client,
    cache: new RestCache(0),
    ownAuthorization: undefined,
    parameterNames: {},
    operations: new SharedBudget(1_000_000, { evicts: 'newest' }),
    onEvict() {},
    maxCalls: 50,
    maxFirst: 1_000,
    maxObjects: 1_000,
    maxResponseBytes: 1_000_000,
  };
  const request = { params: {}, bytes: 0, isReadOnly: false, headers: {}, requestId: 'id', owner: 'owner' };
  return createContext(options, request, cancellation);
}

function abortedBudget(reason: 'timeout' | 'closed') {
  const cancellation = new Cancellation();
  const { budget } = start(cancellation);
  cancellation.abort(reason);
  return budget;
}

test('a query that runs out of time while its response is made is a 504 without data', async () => {
  const budget = abortedBudget('timeout');
  const error = await budget.nextSlice().catch((thrown) => thrown);
  const { errors = [], data } = budget.errorResult(error);
  expect({ ...errors.map(publicError)[0], data }).toMatchObject({
    message: 'The operation took too long.',
    extensions: { code: 'UPSTREAM_TIMEOUT' },
    status: 504,
    data: undefined,
  });
});

test.each(['timeout', 'closed'] as const)(
  'a mutation that was aborted (%s) still tells what it has written',
  async (reason) => {
    const budget = abortedBudget(reason);
    budget.protect();
    await expect(budget.nextSlice()).resolves.toBeUndefined();
    expect(budget.stopError).toBeUndefined();
  },
);
