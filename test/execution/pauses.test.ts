import DataLoader from 'dataloader';
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
  slices = 0;
  #rows = 0;

  override isSliceOver(): boolean {
    this.#rows += 1;
    return this.#rows % 10 === 0;
  }

  override async nextSlice(): Promise<void> {
    this.slices += 1;
    await super.nextSlice();
  }
}

async function run(query: string, abortReason?: (slices: number) => GraphQLError | undefined) {
  const batches: number[] = [];
  /** After how many slices each of them was resolved. */
  const slicesBefore: number[] = [];
  let memory = 0;
  const other = new GraphQLObjectType({
    name: 'Other',
    fields: { id: { type: GraphQLInt, resolve: ({ id }) => id } },
  });
  const resolveBatch = async (sources: readonly object[]) => {
    batches.push(sources.length);
    slicesBefore.push(budget.slices);
    return sources;
  };
  const item = new GraphQLObjectType({
    name: 'Item',
    fields: (): GraphQLFieldConfigMap<{ id: number }, unknown> => ({
      id: { type: GraphQLInt, resolve: ({ id }) => id },
      joined: {
        type: other,
        resolve: async (source) => (await resolveBatch([source]))[0],
        extensions: executionHints({ resolveBatch }),
      },
      loaded: { type: other, resolve: (source) => loader.load(source) },
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
    onGrowth: (bytes) => {
      memory += bytes;
    },
    abortReason: () => abortReason?.(budget.slices),
  });
  const loader = new DataLoader(resolveBatch, {
    cache: false,
    batchScheduleFn: (dispatch) => budget.pauses.scheduleBatch(dispatch),
  });
  const result = await execute(planOperation({ schema, document: parse(query) }), {}, budget);
  budget.reportGrowth();
  const { data, errors } = JSON.parse(JSON.stringify(result));
  return { data, errors, slices: budget.slices, batches, slicesBefore, memory };
}

test('a list whose rows are joined is built in slices, and joined by one batch', async () => {
  const { data, errors, slices, batches } = await run('{ items { id joined { id } } }');
  expect(errors).toBeUndefined();
  expect(data.items).toEqual(rows.map(({ id }) => ({ id, joined: { id } })));
  expect(slices).toBeGreaterThan(COUNT / 10 - 1);
  expect(batches).toEqual([COUNT]);
});

test('lists that pause beside each other are joined by one batch each', async () => {
  const { batches } = await run('{ a: items { joined { id } } b: items { id joined { id } } }');
  expect(batches).toEqual([COUNT, COUNT]);
});

test('many batches are resolved in slices too', async () => {
  const joins = times(30, (index) => `a${index}: joined { id }`).join(' ');
  const { batches, slicesBefore } = await run(`{ items { ${joins} } }`);
  expect(batches).toEqual(times(30, () => COUNT));
  expect(new Set(slicesBefore).size).toBeGreaterThan(2);
});

test('rows that wait for their batch are counted as memory', async () => {
  const { memory: alone } = await run('{ items { id } }');
  const { memory } = await run('{ items { id joined { id } } }');
  expect(memory - alone).toBeGreaterThan(COUNT * 80);
});

test('what rows of such lists load by themselves is loaded by one batch too', async () => {
  const { data, slices, batches } = await run('{ a: items { loaded { id } } b: items { id loaded { id } } }');
  expect(data.b).toEqual(rows.map(({ id }) => ({ id, loaded: { id } })));
  expect(slices).toBeGreaterThan(COUNT / 10 - 1);
  expect(batches).toEqual([2 * COUNT]);
});

test('where the caller leaves in a pause, no list goes on, and nothing is joined', async () => {
  const { data, errors, slices, batches } = await run(
    '{ a: items { joined { id } } b: items { id joined { id } } }',
    (slices) => (slices < 4 ? undefined : new GraphQLError('The caller has left.')),
  );
  expect({ data, errors }).toEqual({ errors: [{ message: 'The caller has left.' }] });
  // Both would pause twenty times.
  expect(slices).toBeLessThan(8);
  expect(batches).toEqual([]);
});
