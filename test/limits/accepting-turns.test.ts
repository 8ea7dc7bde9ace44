import { expect, test } from 'vitest';
import { AcceptingTurns } from '../../src/limits/accepting-turns.ts';
import { times } from '../support/times.ts';

test.each([
  ['forty, if they are short', 0.1, 40],
  ['few, if they are long', 7, 3],
])(
  'of the turns in which connections come, those take %s, and leave the next',
  (_what, milliseconds, most) => {
    let now = 0;
    const accepting = new AcceptingTurns(() => now);
    const taken = times(most + 1, () => {
      accepting.onConnection();
      const isTaken = accepting.takeTurn();
      now += milliseconds;
      return isTaken;
    });
    expect(taken).toEqual([...times(most, () => true), false]);
  },
);
