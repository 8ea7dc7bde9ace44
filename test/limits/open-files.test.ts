import { expect, test } from 'vitest';
import { maxOpenFiles } from '../../src/limits/open-files.ts';

test.each([
  [
    'Max processes             79936     79936     processes\nMax open files            1024      524288    files\n',
    1024,
  ],
  ['Max open files            unlimited            unlimited            files\n', Number.POSITIVE_INFINITY],
  ['', Number.POSITIVE_INFINITY],
])('of %j it may open so many files', (limits, count) => {
  expect(maxOpenFiles(limits)).toBe(count);
});
