import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { stopClock } from '../../support/clock.ts';
import { BEARER, freshGateway, OTHER_BEARER, type TestGateway } from '../../support/gateway.ts';
import { DEBTORS, debtors, PAYMENTS } from '../../support/operations.ts';
import { times } from '../../support/times.ts';

const FAILURES = 20;
/** Enough to show that it is called no more, or still. */
const MORE = FAILURES + 5;
/** The pause without calls; after that, one a second probes. */
const PAUSE_MS = 1000;
/** A failure that is not tried again, so that each is one call. */
const DOWN = { kind: 'status', status: 503, headers: { 'retry-after': '30' }, times: 1e6 } as const;

async function breakDown(gateway: TestGateway): Promise<void> {
  gateway.rest.misbehave(DOWN);
  for (let call = 0; call < FAILURES; call += 1) await gateway.query(DEBTORS);
  expect(gateway.rest.calls).toHaveLength(FAILURES);
}

test('after failures, an endpoint is paused for all its records, but other endpoints are not', async () => {
  stopClock();
  const gateway = await freshGateway();
  gateway.rest.misbehave({ ...DOWN, match: { method: 'PATCH' } });
  const unmark = (id: number) =>
    gateway.query(`mutation { unmarkTaskCompleted(input: { taskId: "${id}" }) { task { subject } } }`);
  for (let call = 0; call < MORE; call += 1) await unmark(call);
  expect(gateway.rest.calls).toHaveLength(FAILURES);
  for (const document of [DEBTORS, PAYMENTS]) expect(codesOf(await gateway.query(document))).toEqual([]);
  // Their answers do not make the failing one look well.
  for (let call = 0; call < 5; call += 1) await unmark(call);
  expect(gateway.rest.calls).toHaveLength(FAILURES + 2);
});

test('failures are counted over all callers, and a success of any caller resets the count', async () => {
  stopClock();
  const gateway = await freshGateway();
  const others = '{ debtors(administrationId: "2001", first: 3) { nodes { internalId } } }';
  gateway.rest.misbehave({ ...DOWN, match: { authorization: BEARER.authorization } });
  for (let call = 0; call < MORE; call += 1) {
    await gateway.query(DEBTORS);
    expect(codesOf(await gateway.query(others, {}, OTHER_BEARER))).toEqual([]);
  }
  gateway.rest.calls.length = 0;
  gateway.rest.misbehave(DOWN);
  for (let call = 0; call < MORE / 2; call += 1) {
    await gateway.query(DEBTORS);
    await gateway.query(others, {}, OTHER_BEARER);
  }
  expect(gateway.rest.calls).toHaveLength(FAILURES);
});

test('after 20 failures, calls fail at once except one per second, until that one succeeds', async () => {
  const clock = stopClock();
  const gateway = await freshGateway();
  await breakDown(gateway);
  clock.advance(PAUSE_MS - 1);
  const refused = await gateway.query(DEBTORS);
  expect(refused.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE', retryAfter: 1 } }]);
  expect(refused.extensions).toMatchObject({ cost: { calls: 0 } });
  clock.advance(1);
  await Promise.all(times(10, (index) => gateway.query(debtors(index))));
  expect(gateway.rest.calls).toHaveLength(FAILURES + 1);
  gateway.rest.behave();
  clock.advance(PAUSE_MS);
  expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
  const answers = await Promise.all(times(30, (index) => gateway.query(debtors(index))));
  expect(answers.flatMap(codesOf)).toEqual([]);
});

test('a timeout counts as a failure of the endpoint', async () => {
  stopClock();
  const gateway = await freshGateway({ gateway: { restTimeoutMs: 150 } });
  gateway.rest.misbehave({ kind: 'hang', times: 1e6 });
  await Promise.all(times(FAILURES, (index) => gateway.query(debtors(index))));
  expect(codesOf(await gateway.query(DEBTORS))).toEqual(['UPSTREAM_UNAVAILABLE']);
  // Fewer where time ran out before a call was sent.
  expect(gateway.rest.calls.length).toBeLessThanOrEqual(FAILURES);
});

test.each([429, 500])('a response of %i does not count as a failure of the endpoint', async (status) => {
  stopClock();
  const gateway = await freshGateway();
  gateway.rest.misbehave({ kind: 'status', status, times: MORE });
  await Promise.all(times(MORE, (index) => gateway.query(debtors(index))));
  expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
});

test('a timeout of an operation does not count as a failure of the endpoint', async () => {
  stopClock();
  const gateway = await freshGateway({ gateway: { requestTimeoutMs: 150 } });
  gateway.rest.misbehave({ kind: 'hang', times: MORE });
  const answers = await Promise.all(times(MORE, (index) => gateway.query(debtors(index))));
  expect(new Set(answers.flatMap(codesOf))).toEqual(new Set(['UPSTREAM_TIMEOUT']));
  gateway.rest.behave();
  // Told by the gateway: calls that were given up may arrive at the service late. It may run out of time itself.
  expect((await gateway.query(DEBTORS)).extensions).toMatchObject({ cost: { calls: 1 } });
});
