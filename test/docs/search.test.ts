import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFinder, EXPLAINED_AT, type SearchEntry } from '../../scripts/docs/browser/find.ts';
import { renderPage } from '../../scripts/docs/render.mjs';
import { root } from './pages.ts';

describe('a page is searched by its parts', () => {
  const { searched, html } = renderPage(
    [
      '# Title\n\nIntro with [a link](querying.md), `CODE` and *stress*.',
      '## One\n\n- first item\n- second\n\n### Deep\n\n```sh\nnode run\n```\n\n```json\n{ "answer": 1 }\n```',
      '## Settings\n\n| variable | meaning |\n|---|---|\n| `MAX_X`, `MAX_Y` | how `many` |\n| `lower` | not a name |\n| `MAX_X` | again |',
    ].join('\n\n'),
    'docs/x.md',
    new Set(),
  );

  test('under headings, and by rows that have a name', () => {
    expect(searched).toEqual([
      { id: '', heading: 'Title', above: [], text: 'Intro with a link, CODE and stress.' },
      { id: 'one', heading: 'One', above: ['Title'], text: 'first item second' },
      { id: 'deep', heading: 'Deep', above: ['Title', 'One'], text: 'node run' },
      { id: 'settings', heading: 'Settings', above: ['Title'], text: 'lower not a name MAX_X again' },
      { id: 'MAX_X', heading: 'MAX_X, MAX_Y', above: ['Title', 'Settings'], text: 'how many' },
    ]);
  });

  test('each of which can be linked to', () => {
    const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    expect(ids).toEqual(['title', 'one', 'deep', 'settings', 'MAX_X']);
  });
});

const ENTRIES: readonly SearchEntry[] = [
  {
    path: '/a',
    heading: 'Lists',
    above: ['Querying'],
    text: `Totals and more. ${'word '.repeat(100)}the totals`,
  },
  { path: '/b', heading: 'Totals', above: ['Querying'], text: 'Added up exactly.' },
  { path: '/c', heading: 'Subtotals', above: ['Design'], text: 'Noëlle (a+b) İstanbul 日本' },
];

describe('a search', () => {
  const find = createFinder(ENTRIES);
  const paths = (query: string) => find(query).map(({ entry }) => entry.path);

  test.each([
    ['totals', ['/b', '/a', '/c']],
    ['TOTALS  querying', ['/b', '/a']],
    ['total', ['/b', '/a', '/c']],
    ['noelle', ['/c']],
    ['NOËLLE', ['/c']],
    ['istanbul', ['/c']],
    ['日本', ['/c']],
    ['(a+b)', ['/c']],
    ['nothing', []],
    ['totals nothing', []],
    ['  ', []],
  ])('for %j finds the best first', (query, found) => {
    expect(paths(query)).toEqual(found);
  });

  test('shows where the words are', () => {
    expect(find('noelle')[0]?.snippet).toEqual([
      { text: 'Noëlle', isMatch: true },
      { text: ' (a+b) İstanbul 日本', isMatch: false },
    ]);
    const [first, ...others] = find('lists word')[0]?.snippet ?? [];
    expect(first).toEqual({ text: 'Totals and more. ', isMatch: false });
    expect(others.at(-1)).toEqual({ text: ' …', isMatch: false });
  });

  test('shows a part of the text, with every match marked, whatever is asked', () => {
    const words = fc.stringMatching(/^[a-zë.*+?^${}()|[\]\\/ -]{0,12}$/);
    const text = fc.array(fc.constantFrom('a', 'B', 'ë', '.', '(', ' ', 'İ', '日'), { maxLength: 400 });
    fc.assert(
      fc.property(
        text.map((list) => list.join('')),
        words,
        (body, query) => {
          const entry = { path: '/x', heading: query, above: [], text: body };
          for (const { snippet } of createFinder([entry])(query)) {
            const shown = snippet.map((piece) => piece.text).join('');
            expect(body).toContain(shown.replace(/^… /, '').replace(/ …$/, ''));
            expect(snippet.every((piece) => piece.text !== '')).toBe(true);
          }
        },
      ),
    );
  });
});

describe('what a reader looks for is among the first five', () => {
  const find = createFinder(JSON.parse(readFileSync(new URL('dist/docs/search.json', root), 'utf8')));

  test.each([
    ['MAX_CALLS', '/docs/operations#MAX_CALLS'],
    ['list_too_long', '/docs/errors#LIST_TOO_LONG'],
    ['unauthenticated', '/docs/errors#UNAUTHENTICATED'],
    ['error codes', '/docs/errors#codes'],
    ['csv', '/docs/files#as-csv-or-ndjson'],
    ['filter', '/docs/querying#filters'],
    ['sort', '/docs/lists#order'],
    ['pagination', '/docs/querying#endless-scroll'],
    ['login', '/docs/credentials'],
    ['excel', '/docs/recipes#a-spreadsheet-that-refreshes'],
    ['first query', '/docs#your-first-query'],
    ['cors', '/docs/operations#CORS_ORIGINS'],
    ['subscription', '/docs/live-changes#the-stream'],
    ['x-explain', '/docs/querying#x-explain'],
    ['group by month', '/docs/recipes#how-old-it-is-by-month'],
    ['python', '/docs/clients#python'],
    ['decimal', '/docs/files#options-of-the-address'],
    ['docker', '/docs/deploying#docker'],
    ['kubernetes', '/docs/deploying#kubernetes'],
    ['allow list', '/docs/credentials#the-allow-list'],
    ['redis', '/docs/operations#REDIS_URL'],
    ['viewer', '/docs/credentials#viewer'],
  ])('%s', (query, path) => {
    const first = find(query).slice(0, 5);
    expect(first.map(({ entry }) => entry.path)).toContain(path);
  });

  test.each(['sum', 'count', 'timezone', 'power bi', 'excel', 'group', 'filter', 'csv', 'token', 'export'])(
    '%s, on the pages for users before those for who runs or changes the gateway',
    (query) => {
      const names = find(query).map(({ entry }) => /^\/docs\/(\w+)/.exec(entry.path)?.[1]);
      const others = names
        .slice(0, 5)
        .filter((name) => ['operations', 'design', 'resilience', 'changelog'].includes(name ?? ''));
      expect(others).toEqual([]);
    },
  );

  test.each(Object.entries(EXPLAINED_AT))('%s, as the first', (query, path) => {
    expect(find(query)[0]?.entry.path).toBe(path);
  });
});
