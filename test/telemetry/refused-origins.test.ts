import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Details } from '../../src/telemetry/log.ts';
import { createOriginLog } from '../../src/telemetry/repeated-lines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createLog() {
  const lines: { readonly message: string; readonly origin: unknown }[] = [];
  return {
    add: createOriginLog((_level, message, details: Details = {}) =>
      lines.push({ message, origin: details.origin }),
    ),
    origins: () => lines.splice(0).map(({ origin }) => origin),
    lines,
    wait: (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
  };
}

test('each origin is logged at most once a minute', () => {
  const { add, origins, wait } = createLog();
  add('https://app.example');
  add('https://other.example');
  for (let seconds = 0; seconds < 59; seconds += 1) {
    wait(1_000);
    add('https://app.example');
    add('https://APP.example');
  }
  expect(origins()).toEqual(['https://app.example', 'https://other.example']);
  wait(1_000);
  add('https://app.example');
  add('https://app.example');
  expect(origins()).toEqual(['https://app.example']);
});

test('made-up origins fill 50 lines a minute, and no memory beyond that', () => {
  const { add, origins, wait } = createLog();
  for (let index = 0; index < 10_000; index += 1) add(`https://${index}.example`);
  expect(origins()).toEqual(Array.from({ length: 50 }, (_, index) => `https://${index}.example`));
  wait(60_000);
  add('https://app.example');
  expect(origins()).toEqual(['https://app.example']);
});

test.each([
  ['https://app.example', 'https://app.example', true],
  ['http://[::1]:3000', 'http://[::1]:3000', true],
  ['HTTP://App.Example:80', 'http://app.example:80', true],
  ['capacitor://localhost', 'capacitor://localhost', false],
  ['chrome-extension://abcdef', 'chrome-extension://abcdef', false],
  ['null', 'null', false],
  ['', 'null', false],
  ['https://user:secret@app.example', 'null', false],
  ['https://app.example/path?token=secret', 'null', false],
  ['https://app.example, https://other.example', 'null', false],
  ['https://app.example\n{"level":"error"}', 'null', false],
  ['https://app.example\u001b[31m', 'null', false],
  ['https://例え.jp', 'null', false],
  [`https://${'a'.repeat(254)}`, 'null', false],
  [`${'a'.repeat(100_000)}://x`, 'null', false],
])('of %j the log has %j', (given, logged, canBeListed) => {
  const { add, lines } = createLog();
  add(given);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.origin).toBe(logged);
  expect(lines[0]?.message.includes('add it to CORS_ORIGINS')).toBe(canBeListed);
  expect(lines[0]?.message).toContain('CORS_ORIGINS');
});
