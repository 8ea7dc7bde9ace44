import { expect, test } from 'vitest';
import { createFetcher } from '../../src/graphiql/fetcher.ts';
import { createHistory, hasWords, type PastRun, titleOf } from '../../src/graphiql/history.ts';
import { createBrowserSession } from '../../src/graphiql/session.ts';
import type { PageStorage } from '../../src/graphiql/storage.ts';
import { memoryStorage } from './memory-storage.ts';

const KEY = 'graphiql:history';
const text = (query: string, variables = '') => ({ query, variables });
const queries = (runs: readonly PastRun[]) => runs.map(({ query }) => query);

function open(browser: PageStorage = memoryStorage()) {
  let time = 0;
  return createHistory(browser, () => ++time);
}

test('what was run last comes first, each operation once, and is there in a later visit', () => {
  const browser = memoryStorage();
  const history = open(browser);
  for (const query of ['{ a }', '{ b }', '{ a }']) history.add(text(query), []);
  history.add(text('{ a }', '{"c": 1}'), []);
  expect(history.get()).toEqual([
    { query: '{ a }', variables: '{"c": 1}', time: 4 },
    { query: '{ a }', variables: '', time: 3 },
    { query: '{ b }', variables: '', time: 2 },
  ]);
  expect(open(browser).get()).toEqual(history.get());
});

test('a run is removed, and all are', () => {
  const browser = memoryStorage();
  const history = open(browser);
  for (const query of ['{ a }', '{ b }']) history.add(text(query), []);
  history.remove({ ...text('{ b }'), time: 2 });
  expect(queries(open(browser).get())).toEqual(['{ a }']);
  history.clear();
  expect(history.get()).toEqual([]);
  expect(open(browser).get()).toEqual([]);
});

test('two windows lose nothing of each other', () => {
  const browser = memoryStorage();
  const [one, other] = [open(browser), open(browser)];
  one.add(text('{ a }'), []);
  other.add(text('{ b }'), []);
  one.add(text('{ c }'), []);
  expect(queries(one.get())).toEqual(['{ c }', '{ b }', '{ a }']);
  expect(queries(other.get())).toEqual(['{ b }', '{ a }']);
  other.load();
  expect(other.get()).toEqual(one.get());
});

test('it is bounded, by number and by length, and keeps the newest', () => {
  const many = open();
  for (let index = 0; index < 60; index += 1) many.add(text(`{ a${index} }`), []);
  expect(many.get()).toHaveLength(50);
  expect(many.get()[0]?.query).toBe('{ a59 }');

  const long = open();
  for (let index = 0; index < 8; index += 1) long.add(text(`{ a${index} }`.padEnd(90_000)), []);
  expect(queries(long.get()).map((query) => query.trim())).toEqual([
    '{ a7 }',
    '{ a6 }',
    '{ a5 }',
    '{ a4 }',
    '{ a3 }',
  ]);

  const huge = open();
  huge.add(text('{ a }'), []);
  huge.add(text('{ b }'.padEnd(100_001)), []);
  expect(queries(huge.get())).toEqual(['{ a }']);
});

test('a full storage stops nothing', () => {
  const full = {
    ...memoryStorage(),
    setItem() {
      throw new Error('QuotaExceededError');
    },
  };
  const history = open(full);
  history.add(text('{ a }'), []);
  expect(queries(history.get())).toEqual(['{ a }']);
});

test.each([
  '',
  'not JSON',
  '{}',
  '[7, null, {"query": 7}, {"query": "{ a }"}]',
  '[{"query":"{ a }","variables":"","time":1,"operationName":7}]',
])('stored text that is %j is no history', (stored) =>
  expect(open(memoryStorage({ [KEY]: stored })).get()).toEqual([]),
);

test('neither a secret nor a header is stored, whatever is run', async () => {
  const browser = memoryStorage();
  const credentials = { token: 'the-token-of-the-strip', clientId: 'id', clientSecret: 'the-secret-of-it' };
  const session = createBrowserSession(
    { endpoint: '', credentials, administrationId: '1', tabs: [] },
    memoryStorage(),
  );
  // Nothing listens there: what is run is remembered all the same.
  const fetcher = createFetcher('http://127.0.0.1:1/', session, createHistory(browser));
  const run = {
    query: 'mutation Renew { refreshAccessToken(input: { refreshToken: "typed-one" }) { __typename } }',
    variables: { input: { token: 'typed-two', note: 'the-token-of-the-strip', first: 10 } },
    operationName: 'Renew',
  };
  await Promise.resolve(
    fetcher(run, { headers: { Authorization: 'Bearer typed-three', 'X-Mine': 'typed-four' } }),
  ).catch(() => {});
  await Promise.resolve(
    fetcher({ query: 'query IntrospectionQuery { a }', operationName: 'IntrospectionQuery' }),
  ).catch(() => {});
  const stored = browser.getItem(KEY) ?? '';
  expect(JSON.parse(stored)).toEqual([
    {
      query: 'mutation Renew { refreshAccessToken(input: { refreshToken: "" }) { __typename } }',
      variables: JSON.stringify({ input: { token: '', note: '', first: 10 } }, null, 2),
      operationName: 'Renew',
      time: expect.any(Number),
    },
  ]);
  expect(stored).not.toMatch(/typed|strip|the-secret/);
});

test.each([
  ['', ['Debtors', 'Mine']],
  ['debtors', ['Debtors']],
  ['NAME 1001', ['Debtors']],
  ['query', ['Debtors', 'Mine']],
  ['name nothing', []],
])('the search for %j finds %j', (search, names) => {
  const runs = [
    { query: 'query Debtors { debtors { name } }', variables: '{"administrationId": "1001"}', time: 2 },
    { query: 'query Mine { viewer { name } }', variables: '', time: 1 },
  ];
  const found = runs.filter(({ query, variables }) => hasWords(`${query} ${variables}`, search));
  expect(found.map(titleOf)).toEqual(names);
});

test.each([
  [{ query: '# The first\nquery A { a } query B { b }', operationName: 'B' }, 'B'],
  [{ query: '# Mine\nquery A { a }' }, 'A'],
  [{ query: '# Mine\n{\n  a\n}' }, '{ a }'],
  [{ query: `{ ${'a '.repeat(100)}}` }, `${`{ ${'a '.repeat(100)}`.slice(0, 60)}…`],
])('%j is called %j', (run, title) => expect(titleOf({ variables: '', time: 1, ...run })).toBe(title));
