import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Holding, SharedBudget, SharedPart } from '../../src/limits/shared-budget.ts';
import { comesFrom } from '../support/addresses.ts';
import { times } from '../support/times.ts';

function budgetOf(limit: number, evicts: 'stalest' | 'newest') {
  const budget = new SharedBudget(limit, { evicts });
  const evicted: string[] = [];
  const hold = (owner: string, name: string, amount: number, isEvictable = true) => {
    const holding = budget.hold(
      owner,
      () => evicted.push(name),
      () => isEvictable,
    );
    holding.add(amount);
    return holding;
  };
  return { budget, evicted, hold };
}

describe('over the limit', () => {
  test('the owner that holds most loses what made progress longest ago', () => {
    const { budget, evicted, hold } = budgetOf(10, 'stalest');
    hold('greedy', 'first', 3).touch();
    hold('greedy', 'second', 3);
    hold('greedy', 'third', 3);
    expect(evicted).toEqual([]);
    hold('quiet', 'small', 2);
    expect(evicted).toEqual(['first']);
    expect(budget.held).toBe(8);
  });

  test('progress puts a holding behind the others', () => {
    const { evicted, hold } = budgetOf(6, 'stalest');
    const first = hold('one', 'first', 3);
    hold('one', 'second', 3);
    first.touch();
    hold('other', 'third', 1);
    expect(evicted).toEqual(['second']);
  });

  test('what holds little does not give way for others of its owner that hold much', () => {
    const { evicted, hold } = budgetOf(20, 'stalest');
    hold('address', 'small', 1);
    for (const name of ['first', 'second', 'third']) hold('address', name, 8);
    expect(evicted).toEqual(['first']);
  });

  test('but does where those cannot be evicted', () => {
    const { evicted, hold } = budgetOf(16, 'stalest');
    hold('address', 'small', 1);
    for (const name of ['first', 'second']) hold('address', name, 8, false);
    expect(evicted).toEqual(['small']);
  });

  test('work is evicted by the newest, so that the older work gets done', () => {
    const { evicted, hold } = budgetOf(6, 'newest');
    const first = hold('one', 'first', 3);
    hold('one', 'second', 2);
    first.add(2);
    expect(evicted).toEqual(['second']);
  });

  test('of owners with one each, the last that began gives way, so that those nearest to their end get there', () => {
    const { evicted, hold } = budgetOf(12, 'newest');
    const oldest = hold('one', 'first', 5);
    hold('other', 'second', 4);
    hold('quiet', 'third', 2);
    oldest.add(2);
    expect(evicted).toEqual(['second']);
  });

  test('an owner with several gives way before others with one', () => {
    const { evicted, hold } = budgetOf(12, 'newest');
    hold('greedy', 'first', 3);
    hold('greedy', 'second', 4);
    hold('other', 'third', 6);
    expect(evicted).toEqual(['second']);
  });

  test('credentials of one address give way together, though somebody else has more than each of them', () => {
    const { evicted, hold } = budgetOf(100, 'newest');
    for (const index of times(10, String)) {
      comesFrom('10.0.0.1', `token${index}`);
      hold(`token${index}`, `greedy${index}`, 8);
    }
    comesFrom('10.0.0.2', 'quiet');
    const quiet = hold('quiet', 'quiet', 10);
    quiet.add(15);
    expect(evicted).toEqual(['greedy9']);
    hold('token0', 'another', 5);
    expect(evicted).toEqual(['greedy9', 'another']);
  });

  test('what cannot be evicted stays, and the next owner gives way', () => {
    const { evicted, hold } = budgetOf(4, 'stalest');
    hold('busy', 'first', 3, false);
    hold('idle', 'second', 1);
    hold('idle', 'third', 1);
    expect(evicted).toEqual(['second']);
  });

  test('an owner with less than an equal share loses nothing for what cannot be evicted', () => {
    const { budget, evicted, hold } = budgetOf(100, 'newest');
    hold('protected', 'write', 99, false);
    hold('quiet', 'small', 10);
    expect(evicted).toEqual([]);
    expect(budget.held).toBe(109);
    hold('greedy', 'large', 60);
    expect(evicted).toEqual(['large']);
  });

  test('a holding larger than all there is evicts itself in the end', () => {
    const { budget, evicted, hold } = budgetOf(10, 'newest');
    hold('quiet', 'small', 1);
    hold('greedy', 'huge', 11);
    expect(evicted).toEqual(['huge']);
    expect(budget.held).toBe(1);
  });
});

describe('below the limit, half of what is held', () => {
  test('is given up by the owners that hold most, whatever an equal share of all would be', () => {
    const { budget, evicted, hold } = budgetOf(1_000, 'newest');
    hold('quiet', 'small', 2);
    hold('greedy', 'first', 6);
    hold('greedy', 'second', 6);
    hold('other', 'third', 4);
    budget.halve();
    expect(evicted).toEqual(['second', 'third']);
    expect(budget.held).toBe(8);
  });

  test('stays if it cannot be evicted', () => {
    const { budget, evicted, hold } = budgetOf(1_000, 'stalest');
    hold('busy', 'write', 10, false);
    budget.halve();
    expect([evicted, budget.held]).toEqual([[], 10]);
  });
});

test('random use keeps to the limit, evicts each holding once, and gives everything back', () => {
  const step = fc.record({
    kind: fc.constantFrom('hold', 'add', 'touch', 'release'),
    owner: fc.constantFrom('a', 'b', 'c'),
    index: fc.nat(20),
    amount: fc.nat(40),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 80 }),
      fc.constantFrom('stalest' as const, 'newest' as const),
      (steps, evicts) => {
        const budget = new SharedBudget(100, { evicts });
        const holdings: Holding[] = [];
        const evictions = new Map<number, number>();
        for (const { kind, owner, index, amount } of steps) {
          const holding = holdings[index % Math.max(1, holdings.length)];
          if (kind === 'hold') {
            const number = holdings.length;
            holdings.push(budget.hold(owner, () => evictions.set(number, (evictions.get(number) ?? 0) + 1)));
          } else if (kind === 'add') holding?.add(amount);
          else holding?.[kind]();
          // Three owners with less than a quarter each are let be.
          expect(budget.held).toBeLessThanOrEqual(100);
        }
        expect([...evictions.values()].every((count) => count === 1)).toBe(true);
        for (const holding of holdings) holding.release();
        expect(budget.held).toBe(0);
      },
    ),
  );
});

test('an owner that holds little is never evicted for one that holds much', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 60 }), (amounts) => {
      const { evicted, hold } = budgetOf(100, 'stalest');
      hold('quiet', 'quiet', 5);
      for (const amount of amounts) hold('greedy', 'greedy', 6 + amount);
      expect(evicted).not.toContain('quiet');
    }),
  );
});

test('a holding that is released leads to no other one, which would stay in memory with it', () => {
  const budget = new SharedBudget(100, { evicts: 'stalest' });
  const holdings = Array.from({ length: 3 }, () => budget.hold('one', () => {}));
  const [first, second, third] = holdings;
  second?.release();
  first?.touch();
  third?.release();
  expect(holdings.map(({ older, newer }) => [older, newer])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test('what several keep counts once, for the next of them when one ends', () => {
  const budget = new SharedBudget(100, { evicts: 'newest' });
  const part = new SharedPart(30);
  const [first, second, third] = ['one', 'two', 'two'].map((owner) => budget.hold(owner, () => {}));
  if (!first || !second || !third) throw new TypeError('no holdings');
  for (const holding of [first, second, third, third]) holding.share(part);
  expect([first.amount, second.amount, third.amount, budget.held]).toEqual([30, 0, 0, 30]);
  second.release();
  expect([first.amount, third.amount, budget.held]).toEqual([30, 0, 30]);
  first.release();
  expect([third.amount, budget.held]).toEqual([30, 30]);
  // One that has ended takes nothing more.
  first.share(part);
  third.release();
  expect(budget.held).toBe(0);
  const next = budget.hold('one', () => {});
  next.share(part);
  expect(next.amount).toBe(30);
});

test('those who keep too much together are evicted, until one has room for it', () => {
  const budget = new SharedBudget(100, { evicts: 'newest' });
  const evicted: number[] = [];
  const holdings = [0, 1, 2].map((index) => budget.hold('one', () => evicted.push(index)));
  const part = new SharedPart(90);
  for (const holding of holdings.toReversed()) holding.share(part);
  holdings[0]?.add(20);
  // The part goes from the third to the second to the first, which keeps too much by itself.
  expect(evicted.toSorted()).toEqual([0, 1, 2]);
  expect(budget.held).toBe(0);
});
