import { useOnResolve } from '@envelop/on-resolve';
import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { changeRows } from '../support/rest-pages.ts';
import { times } from '../support/times.ts';
import { everyHook, HOOKS, type Hook } from './every-hook.ts';
import { type LibraryGateway, read, useLibrary } from './support.ts';

const LIST = `{ debtors(administrationId: "${ADMINISTRATION}", first: 2) { nodes { name postalAddress { city } } } }`;
const WRITE = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } } }';

async function post({ gateway }: LibraryGateway, query: string) {
  const headers = { 'content-type': 'application/json', ...BEARER };
  const body = JSON.stringify({ query });
  return read(await gateway.fetch('http://localhost/graphql', { method: 'POST', headers, body }));
}

const seen: Hook[] = [];
const counting = await useLibrary({ plugins: [everyHook((hook) => void seen.push(hook))] });

const without = (...left: readonly Hook[]) => HOOKS.filter((hook) => !left.includes(hook));

test.each<[string, string, readonly Hook[]]>([
  ['a query', LIST, HOOKS],
  ['the same query, whose answer is cached', LIST, HOOKS],
  ['a mutation', WRITE, HOOKS],
  ['introspection', '{ __schema { queryType { name } } }', HOOKS],
  ['an operation that is refused for its cost', tooManyLists(), HOOKS],
  ['an invalid document', '{ nonsense }', without('onContextBuilding', 'onExecute')],
  ['the same again', '{ nonsense }', without('onContextBuilding', 'onExecute')],
  ['a syntax error', '{', without('onValidate', 'onContextBuilding', 'onExecute')],
])('each hook runs once, in its order: %s', async (_what, query, expected) => {
  seen.length = 0;
  await post(counting, query);
  expect(seen).toEqual(expected);
});

function tooManyLists(): string {
  return `{ ${times(60, (index) => `a${index}: debtors(administrationId: "${index}") { nodes { id } }`).join(' ')} }`;
}

/** Text as each hook gets it. */
const texts = new Map<string, unknown>();
const useTexts: Plugin = {
  onExecute: () => ({ onExecuteDone: ({ result }) => void texts.set('onExecuteDone', dataOf(result)) }),
  onExecutionResult: ({ result }) => void texts.set('onExecutionResult', dataOf(result)),
  onResultProcess: ({ result }) => void texts.set('onResultProcess', dataOf(result)),
};
const reading = await useLibrary({
  plugins: [
    useOnResolve(({ info: { fieldName } }) => ({ result }) => {
      if (typeof result === 'string') texts.set(`onResolved ${fieldName}`, result);
    }),
    useTexts,
  ],
});

function dataOf(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'data' in result ? result.data : undefined;
}

test.each(['from the REST service', 'from the cache'])('plugins read text as text: %s', async () => {
  texts.clear();
  const [name, city] = ['Noëlle 😀', 'Łódź'];
  reading.rest.misbehave(
    changeRows((rows) => rows.map((row) => ({ ...row, name, postal_address: { city, country_code: 'PL' } }))),
  );
  const { body } = await post(reading, LIST);
  const node = { name, postalAddress: { city } };
  const data = { debtors: { nodes: [node, node] } };
  expect(body.data).toEqual(data);
  expect(Object.fromEntries(texts)).toEqual({
    'onResolved name': name,
    'onResolved city': city,
    onExecuteDone: data,
    onExecutionResult: data,
    onResultProcess: data,
  });
});

const useGreeting: Plugin = {
  onExecute: () => ({
    onExecuteDone: ({ setResult }) => setResult({ data: { greeting: 'Żółć' }, extensions: { by: 'ë' } }),
  }),
  onResponse: ({ response }) => response.headers.set('x-plugin', 'seen'),
};
const changing = await useLibrary({ plugins: [useGreeting] });

test('a plugin may put another result, and headers, in place of those of the gateway', async () => {
  const { body, headers } = await post(changing, LIST);
  expect(body).toMatchObject({ data: { greeting: 'Żółć' }, extensions: { by: 'ë' } });
  expect(headers.get('x-plugin')).toBe('seen');
});
