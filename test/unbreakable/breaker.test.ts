import { expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.ts';
import { codesOf, DEBTORS, debtors, eventually, freshGateway, leaveDuring, timed, times } from './support.ts';

const FAILURES = 20;
/** A failure that is not tried again, so that each is one call. */
const DOWN = { kind: 'status', status: 503, headers: { 'retry-after': '30' }, times: 1e6 } as const;

async function breakDown(gateway: TestGateway): Promise<void> {
  gateway.rest.misbehave(DOWN);
  for (let call = 0; call < FAILURES; call += 1) await gateway.query(DEBTORS);
  expect(gateway.rest.calls).toHaveLength(FAILURES);
}

test('a service that keeps failing is left alone, and its callers are told at once', async () => {
  const gateway = await freshGateway();
  await breakDown(gateway);
  const { result, milliseconds } = await timed(() => gateway.query(DEBTORS));
  expect(codesOf(result)).toEqual(['UPSTREAM_UNAVAILABLE']);
  expect(result.errors?.[0]?.extensions.retryAfter).toBe(1);
  expect(milliseconds).toBeLessThan(1000);
  const write = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }';
  expect(codesOf(await gateway.query(write))).toEqual(['UPSTREAM_UNAVAILABLE']);
  expect(gateway.rest.calls).toHaveLength(FAILURES);
});

test('a service that is back is found by itself', async () => {
  const gateway = await freshGateway();
  await breakDown(gateway);
  gateway.rest.behave();
  const { milliseconds } = await timed(() =>
    eventually(async () => expect(codesOf(await gateway.query(DEBTORS))).toEqual([])),
  );
  expect(milliseconds).toBeLessThan(3000);
  const answers = await Promise.all(times(30, (index) => gateway.query(debtors(index))));
  expect(answers.flatMap(codesOf)).toEqual([]);
});

test('a single call finds out whether the service is back', async () => {
  const gateway = await freshGateway();
  await breakDown(gateway);
  await eventually(async () => {
    await Promise.all(times(10, (index) => gateway.query(debtors(index))));
    expect(gateway.rest.calls.length).toBeGreaterThan(FAILURES);
  });
  expect(gateway.rest.calls).toHaveLength(FAILURES + 1);
});

test('a service that does not answer in time counts as failing', async () => {
  const gateway = await freshGateway({ gateway: { restTimeoutMs: 150 } });
  gateway.rest.misbehave({ kind: 'hang', times: 1e6 });
  await Promise.all(times(FAILURES, (index) => gateway.query(debtors(index))));
  const calls = gateway.rest.calls.length;
  expect(codesOf(await gateway.query(DEBTORS))).toEqual(['UPSTREAM_UNAVAILABLE']);
  expect(gateway.rest.calls).toHaveLength(calls);
});

test.each([404, 429, 500])('answers of %i show that the service is up', async (status) => {
  const gateway = await freshGateway();
  gateway.rest.misbehave({ kind: 'status', status, times: 2 * FAILURES });
  await Promise.all(times(2 * FAILURES, (index) => gateway.query(debtors(index))));
  expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
});

test('operations that run out of time say nothing about the service', async () => {
  const gateway = await freshGateway({ gateway: { requestTimeoutMs: 150 } });
  gateway.rest.misbehave({ kind: 'hang', times: 2 * FAILURES });
  const answers = await Promise.all(times(2 * FAILURES, (index) => gateway.query(debtors(index))));
  expect(new Set(answers.flatMap(codesOf))).toEqual(new Set(['UPSTREAM_TIMEOUT']));
  gateway.rest.behave();
  await eventually(async () => expect(codesOf(await gateway.query(DEBTORS))).toEqual([]), 900);
});

test('callers who leave say nothing about the service', async () => {
  const gateway = await freshGateway();
  gateway.rest.misbehave({ kind: 'hang', times: FAILURES + 5 });
  for (let caller = 0; caller < FAILURES + 5; caller += 1) await leaveDuring(gateway, debtors(caller));
  await eventually(() => expect(gateway.rest.calls.every(({ aborted }) => aborted)).toBe(true));
  expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
});
