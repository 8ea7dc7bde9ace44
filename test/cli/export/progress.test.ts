import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createExportProgress } from '../../../src/cli/export/output.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** What is written in 20 seconds in which 40,000 rows come behind 1,000. */
function written(isTTY: boolean, isQuiet = false): string[] {
  const texts: string[] = [];
  let rows = 1_000;
  const output = { isTTY, columns: 80, write: (text: string) => texts.push(text) };
  const progress = createExportProgress(output, () => rows, isQuiet);
  for (let second = 0; second < 20; second += 1) {
    rows += 2_000;
    vi.advanceTimersByTime(1_000);
  }
  progress.note('A note.');
  progress.say('A \u001b[31mfailure.');
  progress.end();
  vi.advanceTimersByTime(60_000);
  return texts;
}

test('is a line now and then where nobody watches', () => {
  expect(written(false)).toEqual([
    '21,000 rows, 2,000 rows/s, 00:00:10\n',
    '41,000 rows, 2,000 rows/s, 00:00:20\n',
    'A note.\n',
    'A  [31mfailure.\n',
  ]);
});

test('is one line that is written over at a terminal', () => {
  const texts = written(true);
  expect(texts).toHaveLength(80 + 5);
  expect(texts[79]).toBe('\r\x1b[2K41,000 rows, 2,000 rows/s, 00:00:20');
  expect(texts.slice(80)).toEqual(['\r\x1b[2K', 'A note.\n', '\r\x1b[2K', 'A  [31mfailure.\n', '\r\x1b[2K']);
});

test.each([true, false])('is not told to those who want quiet', (isTTY) => {
  expect(written(isTTY, true)).toEqual(['A  [31mfailure.\n']);
});
