// @ts-check
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PAGES } from './docs/pages.mjs';
import { renderPage } from './docs/render.mjs';

/** Renders the documentation into dist/docs, for the gateway to serve: see src/pages/docs/build.ts. */
const root = new URL('../', import.meta.url);
const output = new URL('dist/docs/', root);

/** @type {Set<string>} */
const images = new Set();
const pages = PAGES.map(({ file, ...page }) => {
  const markdown = readFileSync(new URL(file, root), 'utf8');
  return { ...page, ...renderPage(markdown, file, images), markdown };
});

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
writeFileSync(new URL('pages.json', output), JSON.stringify(pages));
for (const path of images) copyFileSync(new URL(path, root), new URL(path.replace(/^.*\//, ''), output));
