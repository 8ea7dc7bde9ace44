import {
  GraphQLError,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { Budget } from '../../src/execution/budget.ts';
import { executionHints, requireExecutable } from '../../src/execution/contract.ts';
import { execute } from '../../src/execution/execute.ts';
import { planOperation } from '../../src/execution/operation.ts';
import { times } from '../support/times.ts';

const COUNT = 100;
const rows = times(COUNT, (id) => ({ id }));

/** Whose every tenth row ends a slice. */
class ShortSlices extends Budget {
  pauses = 0;
  #rows = 0;

  override isSliceOver(): boolean {
    this.#rows += 1;
    return this.#rows % 10 === 0;
  }

  override async nextSlice(): Promise<void> {
    this.pauses += 1;
    await super.nextSlice();
  }
}

async function run(query: string, abortReason?: (pauses: number) => GraphQLError | undefined) {
  const batches: number[] = [];
  const turns: number[] = [];
  let turn = 0;
  const other = new GraphQLObjectType({
    name: 'Other',
    fields: { id: { type: GraphQLInt, resolve: ({ id }) => id } },
  });
  const resolveBatch = async (sources: readonly object[]) => {
    batches.push(sources.length);
    turns.push(turn);
    return sources;
  };
  const item = new GraphQLObjectType({
    name: 'Item',
    fields: (): GraphQLFieldConfigMap<{ id: number }, unknown> => ({
      id: { type: GraphQLInt, resolve: ({ id }) => id },
      joined: {
        type: other,
        resolve: async (source) => (await resolveBatch([source]))[0],
        extensions: executionHints({ isBatched: true, resolveBatch }),
      },
      loaded: {
        type: other,
        resolve: async (source) => source,
        extensions: executionHints({ isBatched: true }),
      },
    }),
  });
  const schema = requireExecutable(
    new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        fields: { items: { type: new GraphQLList(item), resolve: () => rows } },
      }),
    }),
  );
  const budget: ShortSlices = new ShortSlices({
    maxObjects: 100_000,
    maxBytes: 10_000_000,
    abortReason: () => abortReason?.(budget.pauses),
  });
  const counter = setInterval(() => {
    turn += 1;
  });
  const result = await execute(planOperation({ schema, document: parse(query) }), {}, budget);
  clearInterval(counter);
  const { data, errors } = JSON.parse(JSON.stringify(result));
  return { data, errors, pauses: budget.pauses, batches, turns };
}

test('a list whose rows are joined is built in slices, and joined by one batch', async () => {
  const { data, errors, pauses, batches } = await run('{ items { id joined { id } } }');
  expect(errors).toBeUndefined();
  expect(data.items).toEqual(rows.map(({ id }) => ({ id, joined: { id } })));
  expect(pauses).toBeGreaterThan(COUNT / 10 - 1);
  expect(batches).toEqual([COUNT]);
});

test('lists that pause beside each other are joined in the same turn', async () => {
  const { batches, turns } = await run('{ a: items { joined { id } } b: items { id joined { id } } }');
  expect(batches).toEqual([COUNT, COUNT]);
  expect(new Set(turns).size).toBe(1);
});

test('a list whose rows load records each by itself is built in one tick, so that they share a batch', async () => {
  const { pauses } = await run('{ items { id loaded { id } } }');
  expect(pauses).toBe(0);
});

test('where the caller leaves in a pause, no list goes on, and nothing is joined', async () => {
  const { data, errors, pauses, batches } = await run(
    '{ a: items { joined { id } } b: items { id joined { id } } }',
    (pauses) => (pauses < 4 ? undefined : new GraphQLError('The caller has left.')),
  );
  expect({ data, errors }).toEqual({ errors: [{ message: 'The caller has left.' }] });
  // Both would pause twenty times.
  expect(pauses).toBeLessThan(8);
  expect(batches).toEqual([]);
});
