import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { onStopSignal } from '../../src/server/serve.ts';
import { stopClock } from '../support/clock.ts';

/** What was called so far, and a signal to call it. */
function listen(more?: readonly string[]) {
  const listeners = new Map<unknown, () => void>();
  const on = vi.spyOn(process, 'on').mockImplementation((name, listener) => {
    listeners.set(name, () => listener());
    return process;
  });
  onTestFinished(() => on.mockRestore());
  const calls: string[] = [];
  onStopSignal(
    () => calls.push('stop'),
    () => calls.push('stop at once'),
    more,
  );
  return { calls, listeners, signal: (name: string) => listeners.get(name)?.() };
}

describe('signals to stop', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'])('%s is one', (name) => {
    const { calls, signal } = listen(['SIGHUP']);
    signal(name);
    expect(calls).toEqual(['stop']);
  });

  test('are not those that mean something else', () => {
    expect([...listen().listeners.keys()]).toEqual(['SIGINT', 'SIGTERM', 'SIGBREAK']);
  });

  test('that come together are one, and a later one ends the process at once', () => {
    const clock = stopClock();
    const { calls, signal } = listen();
    signal('SIGTERM');
    signal('SIGINT');
    clock.advance(100);
    signal('SIGTERM');
    expect(calls).toEqual(['stop']);
    clock.advance(1);
    signal('SIGTERM');
    expect(calls).toEqual(['stop', 'stop at once']);
  });
});
