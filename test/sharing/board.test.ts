import { expect, test } from 'vitest';
import { SharedBoard } from '../../src/sharing/board.ts';

test('the states that workers share are bounded by their length, and the latest are kept', () => {
  const board = new SharedBoard();
  const state = 'x'.repeat(1_000_000);
  for (let index = 0; index < 100; index += 1) board.move(`key ${index}`, [''], state, 60_000);
  const kept = Array.from({ length: 100 }, (_, index) => board.move(`key ${index}`, ['none'], '', 1)).filter(
    (found) => found !== '',
  );
  expect(kept).toHaveLength(15);
  expect(board.move('key 99', ['none'], '', 1)).toBe(state);
});
