import { useOnResolve } from '@envelop/on-resolve';
import { GraphQLError, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { codesIn } from '../library/support.ts';
import { changeRow } from '../support/rest-pages.ts';
import { type FetchGateway, LIST, NOTHING, TYPENAME, useFetchGateway } from './support.ts';

const useUpperCase = useOnResolve(({ info: { fieldName } }) => ({ result, setResult }) => {
  if (fieldName === 'name') setResult(String(result).toUpperCase());
});
const noNames: ValidationRule = (context) => ({
  Field(node) {
    if (node.name.value === 'name') context.reportError(new GraphQLError('No names.', { nodes: node }));
  },
});
const useNoNames: Plugin = { onValidate: ({ addValidationRule }) => addValidationRule(noNames) };

/** Text as it travels, the same decoded for a plugin, and others with other limits. */
const plain = await useFetchGateway({}, { CACHE_TTL_MS: '60000' });
const upper = await useFetchGateway({ plugins: [useUpperCase] }, { CACHE_TTL_MS: '60000' });
const strict = await useFetchGateway({ plugins: [useNoNames], maxCalls: 1 });
const full = await useFetchGateway({ maxOperations: 0, graphqlEndpoint: '/other' });

const NAME = 'Noëlle 😀 "Łódź"';

async function nameOf(gateway: FetchGateway) {
  const { text } = await gateway.post({ query: LIST });
  return [NAME, NAME.toUpperCase()].filter((name) => text.includes(JSON.stringify(name)));
}

test('each has its own form of text, also while both run, and from their caches', async () => {
  for (const { rest } of [plain, upper]) rest.misbehave(changeRow(0, { name: NAME }));
  for (const _again of ['network', 'REST cache', 'response cache']) {
    const answers = await Promise.all([nameOf(plain), nameOf(upper), nameOf(plain), nameOf(upper)]);
    expect(answers).toEqual([[NAME], [NAME.toUpperCase()], [NAME], [NAME.toUpperCase()]]);
  }
  expect([plain.calls(), upper.calls()]).toEqual([['GET /v1/debtors'], ['GET /v1/debtors']]);
});

test('each has its own caches', async () => {
  const sizes = ({ gateway }: FetchGateway) => {
    const { plan: _shared, ...caches } = gateway.stats().caches;
    return Object.entries(caches).map(([cache, { entries }]) => [cache, entries]);
  };
  const before = sizes(upper);
  for (const _again of [1, 2, 3]) await plain.post({ query: LIST.replace('first: 2', 'first: 7') });
  expect(sizes(upper)).toEqual(before);
  expect(upper.calls()).toEqual([]);
  await upper.post({ query: LIST.replace('first: 2', 'first: 7') });
  expect(upper.calls()).toHaveLength(1);
});

test('what one finds invalid is valid in another, whoever saw the document first', async () => {
  for (const query of [LIST, LIST.replace('List', 'First'), LIST.replace('List', 'Second')]) {
    const order = query.includes('First') ? [strict, plain] : [plain, strict];
    const answers = new Map<FetchGateway, string[]>();
    for (const gateway of [...order, ...order]) answers.set(gateway, codesIn(await gateway.post({ query })));
    expect(answers.get(plain)).toEqual([]);
    expect(answers.get(strict)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  }
});

test('the same document has the limits of the gateway that runs it', async () => {
  const query =
    '{ a: debtors(administrationId: "1001") { nodes { id } } b: debtors(administrationId: "1002") { nodes { id } } }';
  for (const _again of [1, 2]) {
    expect(codesIn(await plain.post({ query }))).toEqual([]);
    expect(codesIn(await strict.post({ query }))).toEqual(['OPERATION_TOO_EXPENSIVE']);
  }
});

test('the same document is compiled for each schema: resolvers that a plugin has changed stay its own', async () => {
  // Often enough for the code that is generated for a selection.
  const query = LIST.replace('first: 2', 'first: 50').replace('List', 'Compiled');
  const [before, changed] = [await plain.post({ query }), await upper.post({ query })];
  expect(JSON.stringify(changed.body.data)).toBe(
    JSON.stringify(before.body.data).replace(
      /"name":("(?:[^"\\]|\\.)*")/g,
      (_all, name) => `"name":${JSON.stringify(JSON.parse(name).toUpperCase())}`,
    ),
  );
  expect((await plain.post({ query })).body.data).toEqual(before.body.data);
  expect((await upper.post({ query })).body.data).toEqual(changed.body.data);
});

test('one that is full, or waits for REST, keeps no other from answering', async () => {
  expect((await full.fetch({}, 'http://localhost/other?query={__typename}')).status).toBe(503);
  strict.rest.misbehave({ kind: 'hang' });
  const caller = new AbortController();
  const hanging = strict.post(
    { query: '{ debtors(administrationId: "1001") { nodes { id } } }' },
    undefined,
    caller.signal,
  );
  expect(codesIn(await plain.post({ query: TYPENAME }))).toEqual([]);
  expect(plain.held()).toEqual(NOTHING);
  expect(strict.held().operations).toBe(1);
  caller.abort();
  await expect(hanging).rejects.toThrow();
});
