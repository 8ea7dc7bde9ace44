import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { exampleOf, hasOperation, isEdited, openedTabs, operationName } from '../../src/graphiql/tabs.ts';
import { exampleTabs as examplesFor } from '../../src/pages/examples.ts';
import { schema } from '../../src/schema/index.ts';

const IDS = { administrationId: '1', debtorNumber: 'D1', taskId: '2', messageIds: ['3'] };
const settings = {
  endpoint: '/graphql',
  credentials: { token: '', clientId: '', clientSecret: '' },
  administrationId: '1',
  tabs: examplesFor(IDS),
};
const examples = openedTabs(settings, '9');

test.each(examples.map((example) => [operationName(example), example.query ?? '']))(
  'the example %s is valid, and fits into a narrow pane',
  (_name, query) => {
    expect(validate(schema, parse(query))).toEqual([]);
    expect(query.split('\n').filter((line) => line.length > 40)).toEqual([]);
  },
);

test('examples name the chosen administration', () => {
  const variables = examples.flatMap((example) => (example.variables ? JSON.parse(example.variables) : []));
  const named = variables.map(({ administrationId, input }) => administrationId ?? input.administrationId);
  expect(named).toEqual(Array(11).fill('9'));
});

test('a tab is of the example whose operation has its name', () => {
  expect(exampleOf({ query: 'query Viewer { viewer { clientId } }' }, examples)?.query).toContain(
    'query Viewer',
  );
  expect(exampleOf({ query: 'query Mine { viewer { clientId } }' }, examples)).toBeUndefined();
  expect(exampleOf({ query: '{ viewer { clientId } }' }, [{ query: '{ other }' }])).toBeUndefined();
  expect(exampleOf({ query: null }, examples)).toBeUndefined();
});

const [example] = examples;

test.each([
  ['as it was opened', {}, false],
  ['that GraphiQL has stored', { headers: '' }, false],
  ['with another query', { query: 'query Debtors { nodes }' }, true],
  ['with other variables', { variables: '{}' }, true],
  ['with headers', { headers: '{"X-Mine": "1"}' }, true],
])('whether an example is edited: one %s', (_case, change, edited) => {
  if (!example) throw new Error('There is no example');
  expect(isEdited({ ...example, ...change }, example)).toBe(edited);
});

test.each([
  ['query A { a } mutation  B { b }', 'A', true],
  ['query A { a } mutation  B { b }', 'B', true],
  ['subscription Second($a: ID) { a }', 'Second', true],
  ['query Seconds { a }', 'Second', false],
  ['{ Second }', 'Second', false],
])('%s has the operation %s: %s', (query, name, expected) => {
  expect(hasOperation(query, name)).toBe(expected);
});
