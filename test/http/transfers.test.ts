import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  downloadLimits,
  type TransferLimits,
  Transfers,
  uploadLimits,
} from '../../src/server/http/transfers.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const LIMITS: TransferLimits = { maxBytes: 1_000, windowMs: 400, minBytes: 10 };

/** A transfer, and why it was cut. */
function start(transfers: Transfers, owner = 'one') {
  const cuts: string[] = [];
  return { transfer: transfers.start(owner, (reason) => cuts.push(reason)), cuts };
}

describe('a transfer', () => {
  test('that moves nothing is cut after its window, once', () => {
    const { cuts } = start(new Transfers(LIMITS));
    vi.advanceTimersByTime(399);
    expect(cuts).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(cuts).toEqual(['stalled']);
    vi.advanceTimersByTime(4_000);
    expect(cuts).toEqual(['stalled']);
  });

  test.each([
    [10, []],
    [9, ['stalled']],
  ])('that moves %i bytes in each window is cut: %j', (bytes, expected) => {
    const { transfer, cuts } = start(new Transfers(LIMITS));
    for (let window = 0; window < 10; window += 1) {
      transfer.recordProgress(bytes);
      vi.advanceTimersByTime(400);
    }
    expect(cuts).toEqual(expected);
  });

  test('that was fast and stops is cut, since each window counts for itself', () => {
    const { transfer, cuts } = start(new Transfers(LIMITS));
    transfer.recordProgress(1_000_000);
    vi.advanceTimersByTime(400);
    expect(cuts).toEqual([]);
    vi.advanceTimersByTime(400);
    expect(cuts).toEqual(['stalled']);
  });

  test('that is complete does not stall, but still makes room for others', () => {
    const transfers = new Transfers(LIMITS);
    const { transfer, cuts } = start(transfers);
    transfer.hold(600);
    transfer.isWaiting = true;
    vi.advanceTimersByTime(4_000);
    expect([cuts, transfers.heldBytes]).toEqual([[], 600]);
    start(transfers).transfer.hold(600);
    expect([cuts, transfers.heldBytes]).toEqual([['evicted'], 600]);
  });

  test('that has ended is not cut, and leaves no timer', () => {
    const { transfer, cuts } = start(new Transfers(LIMITS));
    expect([transfer.end(), transfer.end()]).toEqual([true, false]);
    vi.advanceTimersByTime(4_000);
    expect(cuts).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('beyond the bytes of all, the transfer that has not moved for longest makes room', () => {
  const transfers = new Transfers(LIMITS);
  const [first, second, third] = [start(transfers), start(transfers), start(transfers)];
  for (const { transfer } of [first, second]) transfer.hold(400);
  first.transfer.recordProgress(1);
  third.transfer.hold(400);
  expect([first.cuts, second.cuts, third.cuts]).toEqual([[], ['evicted'], []]);
});

test('a body has to come at a kilobyte a second, and of an answer something in half a minute', () => {
  expect(uploadLimits(7)).toEqual({ maxBytes: 7, windowMs: 5_000, minBytes: 5_000 });
  expect(downloadLimits(7)).toEqual({ maxBytes: 7, windowMs: 30_000, minBytes: 1 });
});
