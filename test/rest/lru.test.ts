import { expect, test } from 'vitest';
import { lruMap } from '../../src/memoize.ts';

test('a map of few entries holds those that were used last', () => {
  const map = lruMap<number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);
  map.get('a');
  map.set('b', 7);
  map.set('d', 3);
  expect(Object.fromEntries(map.entries())).toEqual({ a: 0, b: 7, d: 3 });
});
