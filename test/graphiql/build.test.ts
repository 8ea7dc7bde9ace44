import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// What `npm run build` makes of GraphiQL, which src/pages/graphiql.ts serves.

const build = new URL('../../dist/graphiql/', import.meta.url);
const assets = readdirSync(build);
const read = (name: string) => readFileSync(new URL(name, build), 'utf8');

test('the page has a place for its settings, no inline script, and names files that are there', () => {
  const page = read('index.html');
  expect(page).toContain('<!--settings-->');
  expect(page.match(/<script/g)).toHaveLength(1);
  const named = [...page.matchAll(/(?:src|href)="\/graphiql\/assets\/([^"]*)"/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(['icon.svg', 'main.css', 'main.js']);
  for (const name of named) expect(assets).toContain(name);
});
