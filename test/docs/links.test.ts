import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { anchorsOf, pages, proseOf, root } from './pages.ts';

const links = pages
  .flatMap((page) =>
    Array.from(proseOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => ({ page, target })),
  )
  .filter(({ target }) => !/^https?:/.test(target));

test('the pages link to each other', () => {
  const others = links.filter(({ target }) => !target.startsWith('#'));
  const linked = new Set(others.map(({ page, target }) => fileOf(page, target).href));
  expect(pages.filter((page) => !linked.has(new URL(page, root).href))).toEqual(['README.md']);
});

test.each(links)('$page links to $target, which is there', ({ page, target }) => {
  const file = fileOf(page, target);
  expect(existsSync(file)).toBe(true);
  if (target.includes('#'))
    expect(anchorsOf(file.href.slice(root.href.length))).toContain(target.split('#')[1]);
});

function fileOf(page: string, target: string): URL {
  const url = new URL(target, new URL(page, root));
  url.hash = '';
  return url;
}
