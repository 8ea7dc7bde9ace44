import { expect, test } from 'vitest';
import { createStorage, type PageStorage } from '../../src/graphiql/storage.ts';
import { memoryStorage } from './memory-storage.ts';

const example = { query: 'query First { a }', variables: '{"first": 1}', headers: null };

function open(items: Record<string, string> = {}): PageStorage {
  return createStorage(example, memoryStorage(items));
}

test('a first visit opens the first example, with its variables', () => {
  const storage = open();
  expect(storage.getItem('graphiql:tabState')).toBeNull();
  expect(storage.getItem('graphiql:query')).toBe('query First { a }');
  expect(storage.getItem('graphiql:variables')).toBe('{"first": 1}');
  expect(storage.getItem('graphiql:headers')).toBeNull();
});

test('the stored tabs alone identify the active tab', () => {
  const tabs = [example, { query: 'query Second { edited }', variables: null, headers: 'typed' }];
  const storage = open({ 'graphiql:tabState': JSON.stringify({ tabs, activeTabIndex: 1 }) });
  storage.setItem('graphiql:query', 'a text stored at another moment');
  expect(storage.getItem('graphiql:query')).toBe('query Second { edited }');
  expect(storage.getItem('graphiql:headers')).toBe('typed');
});

test.each(['queries', 'favorites'])('neither a header nor a secret is stored among the %s', (key) => {
  const run = {
    query: 'mutation A($secret: String = "typed") { a(input: { refreshToken: "typed", b: "c" }) { token } }',
    variables: '{"token": "typed", "first": 10, "clientSecret" : "ty\\"ped"}',
    headers: '{"Authorization": "Bearer typed"}',
    operationName: 'A',
  };
  const browser = memoryStorage();
  createStorage(example, browser).setItem(`graphiql:${key}`, JSON.stringify({ [key]: [run] }));
  expect(JSON.parse(browser.getItem(`graphiql:${key}`) ?? '')).toEqual({
    [key]: [
      {
        query: 'mutation A($secret: String = "") { a(input: { refreshToken: "", b: "c" }) { token } }',
        variables: '{"token": "", "first": 10, "clientSecret" : ""}',
        operationName: 'A',
      },
    ],
  });
});
