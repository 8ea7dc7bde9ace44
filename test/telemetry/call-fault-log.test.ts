import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Details } from '../../src/telemetry/log.ts';
import { createCallFaultLog, type FailedAttempt } from '../../src/telemetry/repeated-lines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SERVICE = 'https://rest.example';

function createLog() {
  const lines: Details[] = [];
  const log = createCallFaultLog((_level, _message, details = {}) => lines.push(details), SERVICE);
  return { log, lines: () => lines.splice(0) };
}

const REFUSED: FailedAttempt = {
  endpoint: 'GET /v1/debtors',
  errorType: 'connection_refused',
  attempt: 1,
  status: undefined,
};

test('of calls that fail alike the first is logged at once, and the others every ten seconds', () => {
  const { log, lines } = createLog();
  for (let calls = 0; calls < 1_000; calls += 1) log.add(REFUSED);
  expect(lines()).toEqual([{ service: SERVICE, ...REFUSED, count: undefined }]);
  vi.advanceTimersByTime(9_999);
  expect(lines()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(lines()).toEqual([{ service: SERVICE, ...REFUSED, count: 999 }]);
  log.add(REFUSED);
  expect(lines()).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(lines()).toEqual([{ service: SERVICE, ...REFUSED, count: 1 }]);
});

test('after ten quiet seconds the next is logged at once, and no timer is left', () => {
  const { log, lines } = createLog();
  log.add(REFUSED);
  vi.advanceTimersByTime(10_000);
  expect(vi.getTimerCount()).toBe(0);
  log.add(REFUSED);
  expect(lines()).toEqual([
    { service: SERVICE, ...REFUSED, count: undefined },
    { service: SERVICE, ...REFUSED, count: undefined },
  ]);
});

test('another endpoint, cause or attempt has a line of its own', () => {
  const { log, lines } = createLog();
  const others: FailedAttempt[] = [
    REFUSED,
    { ...REFUSED, endpoint: 'GET /v1/companies' },
    { ...REFUSED, errorType: 'tls_expired' },
    { ...REFUSED, attempt: 2 },
  ];
  for (const failed of [...others, ...others]) log.add(failed);
  expect(lines()).toEqual(others.map((failed) => ({ service: SERVICE, ...failed, count: undefined })));
  vi.advanceTimersByTime(10_000);
  expect(lines()).toHaveLength(4);
});

test('a process that stops tells what it has counted', () => {
  const { log, lines } = createLog();
  log.add(REFUSED);
  log.add(REFUSED);
  lines();
  log.flush();
  expect(lines()).toEqual([{ service: SERVICE, ...REFUSED, count: 1 }]);
});
