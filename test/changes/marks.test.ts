import { expect, test } from 'vitest';
import { times } from '../support/times.ts';
import { createHistory } from './history.ts';
import { missedBy, RULES } from './marks.ts';

const histories = times(300, createHistory);

/** How many of the histories end with a client that does not know the latest state of some record. */
function lossesOf(name: string): number {
  const rule = RULES[name] ?? expect.fail(name);
  return histories.filter((history) => missedBy(history, rule).length > 0).length;
}

test('every obvious mark loses changes of random histories, and the one that is used loses none', () => {
  const losses = Object.keys(RULES).map((name) => [name, lossesOf(name)]);
  const lossy = (name: string) => [name, expect.toSatisfy((count: number) => count > 0)];
  expect(losses).toEqual([
    ...Object.keys(RULES).slice(0, -1).map(lossy),
    ['its start − lookback, told apart by (id, content)', 0],
  ]);
});
