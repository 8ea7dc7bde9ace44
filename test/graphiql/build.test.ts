import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

// What `npm run build` makes of GraphiQL, which src/pages/graphiql.ts serves.

const build = new URL('../../dist/graphiql/', import.meta.url);
const page = readFileSync(new URL('index.html', build), 'utf8');
const files = readdirSync(new URL('assets/', build));
const assets = files.filter((name) => !/\.(br|gz)$/.test(name));
const read = (name: string) => readFileSync(new URL(`assets/${name}`, build));

test('the page has a place for its settings, no inline script, and names files that are there', () => {
  expect(page).toContain('<!--settings-->');
  expect(page.match(/<script/g)).toHaveLength(1);
  const named = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path = '']) => path);
  expect(named.map((path) => path.replace(/-[A-Z0-9]{8}\./, '.'))).toEqual(
    expect.arrayContaining(['icon.svg', 'main.js', 'main.css'].map((name) => `/graphiql/assets/${name}`)),
  );
  for (const path of named) expect(assets).toContain(path.replace('/graphiql/assets/', ''));
});

test('every asset may be kept for ever, since its name changes with its content', () => {
  expect(assets.filter((name) => !/-[A-Z0-9]{8}\.(js|css|svg|ttf)$/.test(name))).toEqual([]);
});

test('one stylesheet holds all styles, also those of editors, which are loaded later', () => {
  const styles = assets.filter((name) => name.endsWith('.css'));
  expect(styles).toHaveLength(1);
  const text = read(styles[0] ?? '').toString();
  for (const rule of ['.monaco-editor', '.graphiql-container', '.rest-calls']) expect(text).toContain(rule);
});

test('the workers of all three editors are there', () => {
  for (const worker of ['editor', 'json', 'graphql'])
    expect(assets.filter((name) => name.startsWith(`${worker}.worker-`))).toHaveLength(1);
});

test('every asset is there compressed as well', () => {
  for (const name of assets) {
    expect(brotliDecompressSync(read(`${name}.br`)).equals(read(name))).toBe(true);
    expect(gunzipSync(read(`${name}.gz`)).equals(read(name))).toBe(true);
  }
});
