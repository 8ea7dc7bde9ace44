import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Details } from '../../src/telemetry/log.ts';
import { createRepeatedLines } from '../../src/telemetry/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createLines() {
  const lines: Details[] = [];
  const repeated = createRepeatedLines((_level, message, details) => lines.push({ message, ...details }));
  return { repeated, lines: () => lines.splice(0) };
}

const BY = { endpoint: 'GET /v1/debtors', errorType: 'connection_refused' };
const LINE = { message: 'failed', ...BY, attempt: 1 };

test('of what is alike the first is logged at once, and the others every ten seconds', () => {
  const { repeated, lines } = createLines();
  for (let attempt = 1; attempt <= 1_000; attempt += 1) repeated.add('failed', BY, { attempt });
  expect(lines()).toEqual([{ ...LINE, count: undefined }]);
  vi.advanceTimersByTime(9_999);
  expect(lines()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(lines()).toEqual([{ ...LINE, count: 999 }]);
  repeated.add('failed', BY);
  expect(lines()).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(lines()).toEqual([{ ...LINE, count: 1 }]);
  // After ten quiet seconds no timer is left.
  vi.advanceTimersByTime(10_000);
  expect(vi.getTimerCount()).toBe(0);
});
