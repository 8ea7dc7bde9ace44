import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairShare } from '../../src/limits/fair-share.ts';

/** Takes for an owner until it is refused, and says how many it got. */
function takeAll(share: FairShare, owner: string): number {
  let taken = 0;
  while (share.tryTake(owner)) taken += 1;
  return taken;
}

describe('a share', () => {
  test.each([
    { limit: 128, owners: 1, each: 64 },
    { limit: 1024, owners: 1, each: 512 },
    { limit: 120, owners: 2, each: 40 },
    { limit: 120, owners: 3, each: 30 },
    { limit: 120, owners: 5, each: 20 },
    { limit: 1, owners: 1, each: 1 },
  ])('of $limit is $each for each of $owners greedy owners', ({ limit, owners, each }) => {
    const share = new FairShare(limit);
    const names = Array.from({ length: owners }, (_, index) => `owner ${index}`);
    for (let round = 0; round < limit; round += 1) for (const name of names) share.tryTake(name);
    expect(names.map((name) => share.heldBy(name))).toEqual(names.map(() => each));
  });

  test('shrinks as others come, once what was taken before is given back', () => {
    const share = new FairShare(120);
    expect(takeAll(share, 'early')).toBe(60);
    expect(takeAll(share, 'late')).toBe(30);
    for (let turn = 0; turn < 1000; turn += 1) {
      for (const owner of ['early', 'late']) {
        share.release(owner);
        takeAll(share, turn % 2 === 0 ? 'late' : 'early');
      }
    }
    expect(Math.abs(share.heldBy('early') - share.heldBy('late'))).toBeLessThanOrEqual(2);
  });

  test('of nothing is nothing', () => {
    expect(new FairShare(0).tryTake('anyone')).toBe(false);
  });

  test('is not given back by an owner that holds none', () => {
    const share = new FairShare(2);
    share.tryTake('one');
    share.release('other');
    expect([share.held, share.free]).toEqual([1, 1]);
  });
});

const steps = fc.array(fc.record({ owner: fc.constantFrom('a', 'b', 'c', 'd'), take: fc.boolean() }), {
  maxLength: 200,
});

describe('whatever is taken and given back', () => {
  test('there are never more than the limit, and counts agree with what each owner holds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), steps, (limit, taken) => {
        const share = new FairShare(limit);
        const held = new Map<string, number>();
        const heldBy = (owner: string) => held.get(owner) ?? 0;
        for (const { owner, take } of taken) {
          if (take && share.tryTake(owner)) held.set(owner, heldBy(owner) + 1);
          if (!take && heldBy(owner) > 0) {
            share.release(owner);
            held.set(owner, heldBy(owner) - 1);
          }
          const counts = [...held.values()];
          const all = counts.reduce((sum, count) => sum + count, 0);
          expect(all).toBeLessThanOrEqual(limit);
          expect([share.held, share.free, share.heldBy(owner)]).toEqual([all, limit - all, heldBy(owner)]);
          expect(share.owners).toBe(counts.filter((count) => count > 0).length);
        }
      }),
    );
  });

  test('an owner that holds none gets one, where the limit doubles for each of the others', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        // Four owners that each take all they may, one after another, leave one of sixteen.
        const share = new FairShare(2 ** 4);
        for (const { owner, take } of taken) {
          if (take) share.tryTake(owner);
          else share.release(owner);
          expect(share.mayTake('quiet')).toBe(true);
        }
      }),
    );
  });
});
