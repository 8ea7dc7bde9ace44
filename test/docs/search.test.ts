import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSearch } from '../../scripts/docs/search.ts';
import { root } from './pages.ts';

const find = createSearch(JSON.parse(readFileSync(new URL('dist/docs/search.json', root), 'utf8')));
const paths = (query: string) => find(query).map(({ path }) => path);

test.each([
  ['search', '/docs/lists#filter-with-conditions'],
  ['token expired', '/docs/clients#renew-an-expired-token'],
  ['excel', '/docs/recipes#refresh-a-spreadsheet'],
  ['realtime', '/docs/live-changes'],
  ['invoice', '/docs/getting-started#what-cannot-be-read'],
  ['betaling', '/docs/getting-started#what-cannot-be-read'],
  ['klant', '/docs/getting-started'],
  ['typescript', '/docs/clients#types'],
  ['useQuery', '/docs/clients#apollo-client'],
  ['fout', '/docs/errors'],
  ['tokn expird', '/docs/clients#renew-an-expired-token'],
  ['MAX_CALLS', '/docs/settings#MAX_CALLS'],
  ['pagination', '/docs/querying#pagination'],
  ['pivot', '/docs/lists#groups'],
  ['timezone', '/docs/querying#amounts-and-timestamps'],
  ['kubernetes', '/docs/deploying#kubernetes'],
])('a search for "%s" finds its section among the first five', (query, path) => {
  expect(paths(query).slice(0, 5)).toContain(path);
});

test('the search ignores case, accents and small mistakes, and finds nothing for unknown words', () => {
  expect(paths('totals qqqq')).toEqual([]);
  expect(paths('SUBSCRIPTION')).toEqual(paths('subscription'));
  expect(paths('credéntials')[0]).toBe('/docs/credentials');
  expect(paths('kubernets')[0]).toBe('/docs/deploying#kubernetes');
});

test('the search does not find the design or the changelog', () => {
  expect(paths('plugin').filter((path) => /design|changelog/.test(path))).toEqual([]);
});
