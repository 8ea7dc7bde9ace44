import { expect, test } from 'vitest';
import { readCommandLine } from '../../../src/cli/arguments.ts';

const read = (...args: string[]) => readCommandLine(['changes', '--administration', '1001', ...args]);

const NOTHING = {
  command: 'changes',
  administration: '1001',
  kinds: undefined,
  fields: undefined,
  since: undefined,
  after: undefined,
  state: undefined,
  url: undefined,
  quiet: false,
  printsQuery: false,
};

test('options have values', () => {
  expect(read()).toEqual(NOTHING);
  const start = ['--since', '2025-06-30T10:00:00Z', '--after', 'c', '--state', 's.json'];
  expect(
    read('--kinds', 'B, A,B', '--fields', 'id', ...start, '--url', 'u', '--quiet', '--print-query'),
  ).toEqual({
    ...NOTHING,
    kinds: ['A', 'B'],
    fields: 'id',
    since: '2025-06-30T10:00:00Z',
    after: 'c',
    state: 's.json',
    url: 'u',
    quiet: true,
    printsQuery: true,
  });
});

test('a moment and a cursor may be empty, as they are before there is one', () => {
  expect(read('--since', '', '--after', '')).toEqual(NOTHING);
});

test('the query can be printed for any administration', () => {
  expect(readCommandLine(['changes', '--print-query'])).toMatchObject({
    administration: '',
    printsQuery: true,
  });
});

test.each([
  ['no administration', ['--administration', ''], 'changes needs --administration with an id'],
  [
    'kinds of nothing',
    ['--administration', '1', '--kinds', 'A,,B'],
    '--kinds takes kinds separated by commas',
  ],
  ['no kinds', ['--administration', '1', '--kinds', ''], '--kinds takes kinds separated by commas'],
  ['no fields', ['--administration', '1', '--fields', ' '], '--fields takes names of fields, as in GraphQL'],
  ['no file', ['--administration', '1', '--state', ''], '--state takes a file'],
])('%s is refused', (_what, args, message) => {
  expect(() => readCommandLine(['changes', ...args])).toThrow(message);
});
