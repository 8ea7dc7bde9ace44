import { expect, onTestFinished, test } from 'vitest';
import { INTERRUPTED, interruptBySignals, PROCESS } from '../../src/cli/context.ts';

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s is a signal to stop', (signal) => {
  const listener = () => {};
  PROCESS.onSignal(listener);
  onTestFinished(() => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(name, listener);
  });
  expect(process.listeners(signal)).toContain(listener);
});

test('the first signal aborts, and the second ends the process', () => {
  const interruption = new AbortController();
  const exits: number[] = [];
  let signal = () => {};
  interruptBySignals(interruption, {
    ...PROCESS,
    onSignal(listener) {
      signal = listener;
    },
    exit: (status) => exits.push(status),
  });
  expect(interruption.signal.aborted).toBe(false);
  signal();
  expect({ isAborted: interruption.signal.aborted, exits }).toEqual({ isAborted: true, exits: [] });
  signal();
  expect(exits).toEqual([INTERRUPTED]);
});
