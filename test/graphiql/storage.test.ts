import { expect, test } from 'vitest';
import { createStorage, type PageStorage } from '../../src/graphiql/storage.ts';

const settings = {
  endpoint: '/graphql',
  headers: 'given headers',
  tabs: [
    { title: 'A title', query: 'query First { a }', variables: '{"first": 1}' },
    { query: 'query Second { b }', headers: 'headers of the second' },
  ],
};

function open(items: Record<string, string> = {}): PageStorage {
  const stored = new Map(Object.entries(items));
  return createStorage(settings, {
    get length() {
      return stored.size;
    },
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
    clear: () => stored.clear(),
  });
}

function tab(query: string, headers: string | null = null) {
  return { id: query, title: '', query, variables: null, headers, operationName: null, response: null };
}

function openWithTabs(activeTabIndex: number, ...tabs: ReturnType<typeof tab>[]): PageStorage {
  return open({ 'graphiql:tabState': JSON.stringify({ tabs, activeTabIndex }) });
}

test('a first visit opens the first example, its title above the query', () => {
  const storage = open();
  expect(storage.getItem('graphiql:tabState')).toBeNull();
  expect(storage.getItem('graphiql:query')).toBe('# A title\nquery First { a }');
  expect(storage.getItem('graphiql:variables')).toBe('{"first": 1}');
  expect(storage.getItem('graphiql:headers')).toBe('given headers');
});

test('headers are not kept until the visitor asks for it', () => {
  expect(open().getItem('graphiql:shouldPersistHeaders')).toBe('false');
  const asked = open({ 'graphiql:shouldPersistHeaders': 'true' });
  expect(asked.getItem('graphiql:shouldPersistHeaders')).toBe('true');
});

test('the active tab is told from the stored tabs alone', () => {
  const storage = openWithTabs(1, tab('query First { a }'), tab('query Second { edited }'));
  storage.setItem('graphiql:query', 'a text stored at another moment');
  expect(storage.getItem('graphiql:query')).toBe('query Second { edited }');
  expect(storage.getItem('graphiql:headers')).toBe('headers of the second');
});

test('a tab without stored headers gets those of its example, or else the given ones', () => {
  const storage = openWithTabs(0, tab('{ mine }'), tab('query Second { edited }'), tab('{ b }', 'typed'));
  const { tabs } = JSON.parse(storage.getItem('graphiql:tabState') ?? '');
  expect(tabs).toMatchObject([
    { id: '{ mine }', headers: 'given headers' },
    { headers: 'headers of the second' },
    { headers: 'typed' },
  ]);
});

test.each(['', 'not JSON', '{}', '{"activeTabIndex":0,"tabs":[]}', '{"activeTabIndex":0,"tabs":[{}]}'])(
  'the examples open when the stored tabs are %j',
  (text) => {
    const storage = open({ 'graphiql:tabState': text });
    expect(storage.getItem('graphiql:tabState')).toBeNull();
    expect(storage.getItem('graphiql:query')).toContain('query First');
  },
);

test('the first tab opens when the stored place of the active one is wrong', () => {
  expect(openWithTabs(7, tab('{ mine }')).getItem('graphiql:query')).toBe('{ mine }');
});

test('everything else is kept as it is', () => {
  const storage = open();
  storage.setItem('graphiql:theme', 'dark');
  expect(storage.getItem('graphiql:theme')).toBe('dark');
  expect(storage.length).toBe(1);
  storage.removeItem('graphiql:theme');
  expect(storage.getItem('graphiql:theme')).toBeNull();
  storage.setItem('graphiql:theme', 'dark');
  storage.clear();
  expect(storage.length).toBe(0);
});
