// @ts-check
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { pathOf, withServedLinks } from './docs/links.mjs';
import { PAGES } from './docs/pages.mjs';
import { renderPage } from './docs/render.mjs';

/** Renders the documentation into dist/docs, for the gateway to serve: see src/pages/docs/index.ts. */
const root = new URL('../', import.meta.url);
const output = new URL('dist/docs/', root);

/** @type {Set<string>} */
const images = new Set();
/** @type {import('./docs/browser/find.ts').SearchEntry[]} */
const index = [];
const pages = PAGES.map(({ file, weight, ...page }) => {
  const markdown = readFileSync(new URL(file, root), 'utf8');
  const { searched, ...rendered } = renderPage(markdown, file, images);
  for (const { id, heading, above, text } of searched) {
    const isPage = id === '';
    const path = isPage ? pathOf(page) : `${pathOf(page)}#${id}`;
    index.push({ path, heading, above: isPage ? [] : [page.label, ...above.slice(1)], text, weight });
  }
  return { ...page, ...rendered, markdown: withServedLinks(markdown, file) };
});

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
writeFileSync(new URL('pages.json', output), JSON.stringify(pages));
writeFileSync(new URL('search.json', output), JSON.stringify(index));
for (const path of images) copyFileSync(new URL(path, root), new URL(path.replace(/^.*\//, ''), output));
// The gateway serves these too: see src/pages/static-page.ts.
cpSync(new URL('clients/', root), new URL('dist/clients/', root), { recursive: true });
buildSync({
  entryPoints: ['script.ts', 'style.css'].map((file) =>
    fileURLToPath(new URL(`docs/browser/${file}`, import.meta.url)),
  ),
  outdir: fileURLToPath(output),
  bundle: true,
  format: 'esm',
  minify: true,
});
