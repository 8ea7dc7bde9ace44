import { expect, onTestFinished, test, vi } from 'vitest';
import type { TestModule } from 'vitest/node';
import { SkippedTests, summaryOf } from './support/skipped-tests.ts';

interface Task {
  readonly type: string;
  readonly parent?: Task;
  meta(): { readonly needs?: string };
}

const taskOf = (type: string, parent?: Task, needs?: string): Task => ({
  type,
  ...(parent && { parent }),
  meta: () => ({ ...(needs !== undefined && { needs }) }),
});

/** A test that was skipped, as Vitest tells it: with what was said as it ran, or without. */
const skippedIn = (parent: Task, needs?: string, note?: string) => ({
  ...taskOf('test', parent, needs),
  result: () => ({ state: 'skipped', note }),
});

/** What is printed at the end of a run. A real one is in skipped-tests.release.test.ts. */
function printedAfter(skipped: readonly object[]): readonly unknown[] {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const module: unknown = { children: { allTests: (state: string) => (state === 'skipped' ? skipped : []) } };
  new SkippedTests().onTestRunEnd([module as TestModule]);
  return log.mock.calls.flat();
}

const FILE = taskOf('module');
const LACKING = taskOf('suite', taskOf('suite', FILE, 'no-such-program. Install it.'));

test('a run ends with what was skipped, and how to run it', () => {
  const printed = printedAfter([
    skippedIn(LACKING),
    skippedIn(LACKING),
    skippedIn(FILE, 'a browser.'),
    skippedIn(FILE, undefined, 'a full moon.'),
    // Left out on purpose, as by -t.
    skippedIn(FILE),
  ]);
  expect(printed).toEqual([
    'Skipped:\n  2 tests need no-such-program. Install it.\n  1 test needs a browser.\n  1 test needs a full moon.\n',
  ]);
});

test('it ends with nothing of that where nothing was skipped', () => {
  expect(summaryOf([])).toBe('');
  expect(printedAfter([])).toEqual([]);
});
