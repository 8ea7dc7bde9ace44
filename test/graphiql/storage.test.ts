import { expect, test } from 'vitest';
import { createStorage, getActiveTab } from '../../src/graphiql/storage.ts';
import { memoryStorage } from './memory-storage.ts';

test('the stored tabs identify the active tab', () => {
  const second = { query: 'query Second { edited }', variables: null, headers: 'typed' };
  const tabs = [{ query: '{ a }', variables: '{}', headers: null }, second];
  const items = {
    'graphiql:tabState': JSON.stringify({ tabs, activeTabIndex: 1 }),
    'graphiql:query': '{ b }',
  };
  expect(getActiveTab(memoryStorage(items))).toEqual(second);
  expect(getActiveTab(memoryStorage())).toBeUndefined();
});

test.each(['queries', 'favorites'])('no header or secret is stored in the %s', (key) => {
  const run = {
    query: 'mutation A($secret: String = "typed") { a(input: { refreshToken: "typed", b: "c" }) { token } }',
    variables: '{"token": "typed", "first": 10, "clientSecret" : "ty\\"ped"}',
    headers: '{"Authorization": "Bearer typed"}',
    operationName: 'A',
  };
  const browser = memoryStorage();
  createStorage(browser).setItem(`graphiql:${key}`, JSON.stringify({ [key]: [run] }));
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
