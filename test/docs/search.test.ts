import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSearch } from '../../scripts/docs/search.ts';
import { root } from './pages.ts';

const find = createSearch(JSON.parse(readFileSync(new URL('dist/docs/search.json', root), 'utf8')));
const paths = (query: string) => find(query).map(({ path }) => path);

test.each([
  ['search', '/docs/lists#filter-with-conditions'],
  ['sort', '/docs/lists#sort'],
  ['token expired', '/docs/clients#renew-an-expired-token'],
  ['excel', '/docs/recipes#refresh-a-spreadsheet'],
  ['power bi', '/docs/recipes#refresh-a-spreadsheet'],
  ['next.js', '/docs/clients'],
  ['realtime', '/docs/live-changes'],
  ['invoice', '/docs/getting-started#what-cannot-be-read'],
  ['betaling', '/docs/getting-started#what-cannot-be-read'],
  ['overdue', '/docs/getting-started#what-cannot-be-read'],
  ['vervaldatum', '/docs/getting-started#what-cannot-be-read'],
  ['klant', '/docs/getting-started'],
  ['openstaand', '/docs/getting-started'],
  ['typescript', '/docs/clients#types'],
  ['useQuery', '/docs/clients#apollo-client'],
  ['errorPolicy', '/docs/clients#apollo-client'],
  ['fout', '/docs/errors'],
  ['date format', '/docs/querying#amounts-and-timestamps'],
  ['tokn expird', '/docs/clients#renew-an-expired-token'],
  ['MAX_CALLS', '/docs/settings#MAX_CALLS'],
  ['list_too_long', '/docs/errors#LIST_TOO_LONG'],
  ['pagination', '/docs/querying#pagination'],
  ['per month', '/docs/recipes#group-by-month'],
  ['pivot', '/docs/lists#groups'],
  ['decimal comma', '/docs/files#url-options'],
  ['timezone', '/docs/querying#amounts-and-timestamps'],
  ['kubernetes', '/docs/deploying#kubernetes'],
  ['allow list', '/docs/credentials#the-allow-list'],
])('%s finds its place among the first five', (query, path) => {
  expect(paths(query).slice(0, 5)).toContain(path);
});

test('case, accents and small mistakes do not matter, and nothing is found for what is not there', () => {
  expect(paths('totals qqqq')).toEqual([]);
  expect(paths('SUBSCRIPTION')).toEqual(paths('subscription'));
  expect(paths('credéntials')[0]).toBe('/docs/credentials');
  expect(paths('kubernets')[0]).toBe('/docs/deploying#kubernetes');
});

test('neither the design nor the changelog is found', () => {
  expect(paths('plugin').filter((path) => /design|changelog/.test(path))).toEqual([]);
});
