import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readPage, root } from './pages.ts';

const files = ['src', 'bench', 'scripts', 'test'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file.split('\\').join('/')}`,
  ),
);

test.each(['README.md', 'CONTRIBUTING.md', 'docs/design.md'])('every file that %s names is there', (page) => {
  const names = readPage(page).match(/(?<![\w./…<>*-])[\w./-]*[\w-]\.(?:ts|tsx|mjs)\b/g) ?? [];
  const missing = names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${cleaned(name)}`)));
  expect(missing).toEqual([]);
});

/** A path as it is from the root: links of docs/ begin with `../`. */
function cleaned(path: string): string {
  return path.replace(/^(?:\.\.?\/)+/, '');
}

test('docs/design.md maps every folder of src, and no other', () => {
  const mapped = readPage('docs/design.md').match(/^src\/\w+(?=\/ )/gm) ?? [];
  const folders = readdirSync(new URL('src', root), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(mapped.toSorted()).toEqual(folders.map(({ name }) => `src/${name}`).toSorted());
});
