import { type DocumentNode, Kind, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { planOperation } from '../../src/execution/operation.ts';
import { MAX_PLAN_BYTES, planCacheSize } from '../../src/execution/plan-cache.ts';
import { parseBounded } from '../../src/request/documents/limits.ts';
import { schema } from '../../src/schema/index.ts';
import { COMBINATIONS, combination, manyLists, WORST_PLANS } from '../support/large-plans.ts';
import { times } from '../support/times.ts';

function documentOf(text: string): DocumentNode {
  const document = parseBounded(text);
  expect(validate(schema, document)).toEqual([]);
  return document;
}

function operationNames({ definitions }: DocumentNode): string[] {
  return definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION && node.name ? [node.name.value] : [],
  );
}

/** Plans every operation of a document in so many combinations. */
function planAll(document: DocumentNode, combinations: number) {
  return operationNames(document).flatMap((operationName) =>
    times(combinations, (index) => {
      const variableValues = combination(index);
      return planOperation({ schema, document, operationName, variableValues }).root;
    }),
  );
}

describe('the plans that are cached', () => {
  test.each(Object.entries(WORST_PLANS))('take no more than their bound: %s', (kind, make) => {
    // More would only push out each other: the first kind fills the cache for all.
    const names = times(2, (index) => `${kind.replace(/\W/g, '_')}_${index}`);
    const documents = names.map((name) => documentOf(make(name)));
    for (const document of documents) {
      planAll(document, COMBINATIONS / 2);
      expect(planCacheSize().bytes).toBeLessThanOrEqual(MAX_PLAN_BYTES);
    }
  });

  test('are found again, the latest of them', () => {
    const document = documentOf(manyLists('again'));
    const roots = planAll(document, COMBINATIONS);
    const again = planAll(document, COMBINATIONS);
    // In the same order each plan has been dropped just before it is asked for; asked for at once it is there.
    expect(again.filter((root, index) => root === roots[index])).toEqual([]);
    const [operationName] = operationNames(document);
    const args = { schema, document, operationName, variableValues: combination(COMBINATIONS - 1) };
    expect(planOperation(args).root).toBe(again.at(-1));
  });

  test('count for at least half a kilobyte a field', () => {
    const document = documentOf(manyLists('counted'));
    const roots = planAll(document, COMBINATIONS);
    const used = times(COMBINATIONS, (index) => combination(COMBINATIONS - 1 - index)).findIndex(
      (variableValues, index) =>
        planOperation({ schema, document, variableValues }).root !== roots[COMBINATIONS - 1 - index],
    );
    expect(used).toBeGreaterThan(0);
    expect(used * 1_400 * 500).toBeLessThan(MAX_PLAN_BYTES);
  });

  test('of a document without conditions is one', () => {
    const document = documentOf('{ debtors(administrationId: "1001") { nodes { name } } }');
    const [one, other] = times(2, (index) =>
      planOperation({ schema, document, variableValues: combination(index) }),
    );
    expect(one?.root).toBe(other?.root);
  });

  test('are those of their operation and its conditions, whatever other variables hold', () => {
    const document = documentOf(`
      query A($x: Boolean!, $y: Boolean!, $z: Boolean!) {
        a: __typename @skip(if: $x) b: __typename @include(if: $y) c: __typename @include(if: $z)
      }
      query B($x: ID!, $y: Boolean!, $z: ID!) { ...B d: debtor(administrationId: $x, by: { id: $z }) { id } }
      fragment B on Query { ... { b: __typename @include(if: $y) } }`);
    const booleans = [true, false];
    const texts = ['', ' ', 't', 'f', 'true', 'false', 'a', 'a true', 'false a', 'true a', 'a false'];
    const keysOf = (operationName: string, variableValues: object) =>
      planOperation({
        schema,
        document,
        operationName,
        variableValues: { ...variableValues },
      }).root.fields.map(({ key }) => key);
    for (const y of booleans) {
      for (const x of texts)
        for (const z of texts) expect(keysOf('B', { x, y, z })).toEqual(y ? ['b', 'd'] : ['d']);
      for (const x of booleans)
        for (const z of booleans)
          expect(keysOf('A', { x, y, z })).toEqual([x ? [] : 'a', y ? 'b' : [], z ? 'c' : []].flat());
    }
  });

  test('are shared by values that no condition of the operation depends on', () => {
    const document = documentOf(`
      query A($x: ID!) { debtor(administrationId: $x, by: { id: "1" }) { id } }
      query B($x: Boolean!) { __typename @include(if: $x) }`);
    const plan = (operationName: string, x: unknown) =>
      planOperation({ schema, document, operationName, variableValues: { x } }).root;
    expect(plan('A', '1001')).toBe(plan('A', '1002'));
    expect(plan('B', true)).not.toBe(plan('B', false));
  });
});
