import { expect, onTestFinished, test, vi } from 'vitest';
import { LinkState } from '../../src/sharing/events.ts';

function start(): LinkState {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  return new LinkState(undefined);
}

test('the first connection is waited for, longer than a hiccup', async () => {
  const state = start();
  const recovered = state.recovered(500);
  await vi.advanceTimersByTimeAsync(2_000);
  state.change('connected');
  expect(await recovered).toBe(true);
});

test('it is not waited for where Redis turns out to be gone, nor without end', async () => {
  const gone = start();
  const recovered = gone.recovered(500);
  gone.change('lost', 'ECONNREFUSED');
  expect(await recovered).toBe(false);

  const silent = start();
  const waiting = silent.recovered(500);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await waiting).toBe(false);
  const late = silent.recovered(500);
  await vi.advanceTimersByTimeAsync(0);
  expect(await late).toBe(false);
});

test('a hiccup is waited for, and a loss that lasts is not', async () => {
  const state = start();
  state.change('connected');
  expect(await state.recovered(500)).toBe(true);
  state.change('lost', 'timeout');
  const hiccup = state.recovered(500);
  await vi.advanceTimersByTimeAsync(400);
  state.change('connected');
  expect(await hiccup).toBe(true);
  state.change('lost', 'timeout');
  await vi.advanceTimersByTimeAsync(600);
  expect(await state.recovered(500)).toBe(false);
});

test('nobody waits on when it is closed', async () => {
  const state = start();
  state.change('lost', 'timeout');
  const waiting = state.reconnected(3_600_000);
  state.close();
  expect(await waiting).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
