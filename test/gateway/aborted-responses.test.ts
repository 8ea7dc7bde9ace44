import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { ChangeFeeds } from '../../src/changes/feeds.ts';
import { publicError } from '../../src/execution/public-errors.ts';
import { SharedBudget } from '../../src/limits/shared-budget.ts';
import { TextRules } from '../../src/lists/text-rules.ts';
import { createSession } from '../../src/request/rest-sessions.ts';
import { createRestCache } from '../../src/rest/cache/rest-cache.ts';
import { Cancellation } from '../../src/rest/cancellation.ts';
import { createRestClient } from '../../src/rest/client/client.ts';
import { Observation } from '../../src/telemetry/observation.ts';

const client = createRestClient({ url: new URL('http://127.0.0.1:1'), timeoutMs: 1_000 });

/** The budget of an operation with this cancellation. */
function budgetOf(cancellation: Cancellation) {
  const options = {
    client,
    cache: createRestCache(0),
    refreshes: undefined,
    callLimit: undefined,
    ownAuthorization: undefined,
    parameterNames: {},
    operations: new SharedBudget(1_000_000, { evicts: 'newest' }),
    onEvict() {},
    exportTimeoutMs: 600_000,
    requestTimeoutMs: 1_000,
    maxCalls: 50,
    maxFirst: 1_000,
    textRules: new TextRules('nl'),
    maxObjects: 1_000,
    maxResponseBytes: 1_000_000,
    feeds: new ChangeFeeds({ pollMs: 5_000, lookbackMs: 60_000, cacheTtlMs: 0 }),
  };
  const observed = new Observation('id', undefined);
  return createSession(options, {
    cancellation,
    headers: {},
    credentials: {},
    owner: 'owner',
    observed,
    client: undefined,
  }).budget;
}

function abortedBudget(reason: 'timeout' | 'closed') {
  const cancellation = new Cancellation();
  const budget = budgetOf(cancellation);
  cancellation.abort(reason);
  return budget;
}

test('a query that runs out of time while its response is made is a 504 without data', async () => {
  const budget = abortedBudget('timeout');
  const error = await budget.nextSlice().catch((thrown: GraphQLError) => thrown);
  const { errors = [], data } = budget.errorResult(error ?? new GraphQLError('none'));
  expect(data).toBeUndefined();
  expect(errors.map((each) => publicError(each, 'id'))).toMatchObject([
    {
      visible: { message: 'The operation took too long.', extensions: { code: 'UPSTREAM_TIMEOUT' } },
      status: 504,
    },
  ]);
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
