import { expect, test } from 'vitest';
import { createStorage, type PageStorage } from '../../src/graphiql/storage.ts';
import { memoryStorage } from './memory-storage.ts';

const examples = [
  { query: 'query First { a }', variables: '{"first": 1}', headers: null },
  { query: 'query Second { b }', variables: null, headers: null },
];

function open(items: Record<string, string> = {}): PageStorage {
  return createStorage(examples, memoryStorage(items));
}

function tab(query: string, headers: string | null = null) {
  return { id: query, title: '', query, variables: null, headers, operationName: null, response: null };
}

function openWithTabs(activeTabIndex: number, ...tabs: ReturnType<typeof tab>[]): PageStorage {
  return open({ 'graphiql:tabState': JSON.stringify({ tabs, activeTabIndex }) });
}

test('a first visit opens the first example, with its variables', () => {
  const storage = open();
  expect(storage.getItem('graphiql:tabState')).toBeNull();
  expect(storage.getItem('graphiql:query')).toBe('query First { a }');
  expect(storage.getItem('graphiql:variables')).toBe('{"first": 1}');
  expect(storage.getItem('graphiql:headers')).toBeNull();
});

test('headers are not kept until the visitor asks for it', () => {
  expect(open().getItem('graphiql:shouldPersistHeaders')).toBe('false');
  const asked = open({ 'graphiql:shouldPersistHeaders': 'true' });
  expect(asked.getItem('graphiql:shouldPersistHeaders')).toBe('true');
});

test('the active tab is told from the stored tabs alone', () => {
  const storage = openWithTabs(1, tab('query First { a }'), tab('query Second { edited }', 'typed'));
  storage.setItem('graphiql:query', 'a text stored at another moment');
  expect(storage.getItem('graphiql:query')).toBe('query Second { edited }');
  expect(storage.getItem('graphiql:headers')).toBe('typed');
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
