import { describe, expect, test } from 'vitest';
import { Places } from '../../src/limits/places.ts';
import { stopClock } from '../support/clock.ts';
import { times } from '../support/times.ts';

describe('of the places', () => {
  const SHARES = { credential: 1 / 4, address: 1 / 8 };

  test.each([
    ['credential', 256, 64],
    ['192.0.2.1', 256, 32],
    ['credential', 1, 1],
  ])('%s gets a part', (owner, limit, expected) => {
    const places = new Places(limit, SHARES);
    const releases = times(300, () => places.admit(owner)).filter(Boolean);
    expect(releases).toHaveLength(expected);
    if (limit > 1) expect(places.admit('another')).toBeDefined();
    // Each counts once, however often it is released.
    for (const release of [...releases, ...releases]) release?.();
    expect(places.held).toBe(limit > 1 ? 1 : 0);
  });

  test('none is given while memory is short', () => {
    const { advance } = stopClock();
    const places = new Places(8, SHARES);
    places.close(1_000);
    expect(places.admit('a')).toBeUndefined();
    advance(1_000);
    expect(places.admit('a')).toBeDefined();
  });

  test('if all are taken for more than five seconds, the process is not ready', () => {
    const { advance } = stopClock();
    const places = new Places(2, SHARES);
    const [release] = ['a', 'b'].map((owner) => places.admit(owner));
    expect([places.admit('c'), places.isStuck()]).toEqual([undefined, false]);
    advance(5_001);
    expect([places.admit('c'), places.isStuck()]).toEqual([undefined, true]);
    release?.();
    // One caller that has used up its part does not do that.
    expect([places.admit('b'), places.isStuck()]).toEqual([undefined, false]);
  });
});
