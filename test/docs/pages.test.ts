import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { anchorsOf, blocksOf, pages, proseOf, readPage, root } from './pages.ts';

const links = pages
  .flatMap((page) =>
    Array.from(proseOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => ({ page, target })),
  )
  .filter(({ target }) => !/^https?:/.test(target));

test('the pages of the documentation link to each other', () => {
  const others = links.filter(({ target }) => !target.startsWith('#'));
  const linked = new Set(others.map(({ page, target }) => fileOf(page, target).href));
  expect(pages.filter((page) => !linked.has(new URL(page, root).href))).toEqual(['README.md']);
});

test.each(links)('$page links to $target, which exists', ({ page, target }) => {
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

test.each(['README.md', 'CONTRIBUTING.md', 'docs/design.md'])('every file that %s names exists', (page) => {
  const files = ['src', 'bench', 'scripts', 'test'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map(
      (file) => `/${folder}/${file}`,
    ),
  );
  // A block of TypeScript is an example; its files need not exist.
  const text = readPage(page).replace(/^```ts\n.*?^```$/gms, '');
  const names = text.match(/(?<![\w./…<>*-])[\w./-]*[\w-]\.(?:ts|tsx|mjs)\b/g) ?? [];
  // Links of docs/ begin with `../`.
  const paths = names.map((name) => `/${name.replace(/^(?:\.\.?\/)+/, '')}`);
  expect(paths.filter((path) => !files.some((file) => file.endsWith(path)))).toEqual([]);
});

test('docs/design.md describes every folder of src and no other', () => {
  const mapped = readPage('docs/design.md').match(/^src\/\w+(?=\/ )/gm) ?? [];
  const entries = readdirSync(new URL('src', root), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `src/${name}`);
  expect(mapped.toSorted()).toEqual(folders.toSorted());
});

test.each(['clients', 'recipes'])('docs/%s.md contains the client programs that are tested', (page) => {
  const folder = new URL(`${page}/`, import.meta.url);
  const programs = readdirSync(folder).map((name) =>
    readFileSync(new URL(name, folder), 'utf8')
      .trimEnd()
      // The page imports what was downloaded or copied, which is the same as in the package and in another folder.
      .replace(/'(?:receivables-graphql|\.\.\/\.\.\/clients)\//g, "'./")
      // Bundlers find a module without its extension, as frameworks have it by default.
      .replace(/(from '\.\/[a-z-]+)\.ts'/g, "$1'"),
  );
  // The configuration of the code generator is run elsewhere.
  const shown = blocksOf(`docs/${page}.md`).filter(
    ({ language, text }) => ['ts', 'tsx', 'python'].includes(language) && !text.includes('CodegenConfig'),
  );
  expect(shown.map(({ text }) => text).toSorted()).toEqual(programs.toSorted());
});
