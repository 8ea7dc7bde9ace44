import fc from 'fast-check';
import {
  type ExecutionResult,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { Budget } from '../../src/execution/budget.ts';
import { execute } from '../../src/execution/execute.ts';
import { FieldErrors, FieldFailure, InvalidValue } from '../../src/execution/field-errors.ts';
import { planOperation } from '../../src/execution/operation.ts';
import { isObject } from '../../src/rest/json.ts';
import { schema as ownSchema } from '../../src/schema/index.ts';
import { present } from '../support/present.ts';
import { casesOf } from '../support/search.ts';
import { times } from '../support/times.ts';
import { Random } from './random.ts';

type Path = readonly (string | number)[];

/** Where in the data an error shows as null: at its path, or at the nearest field above that may be null. */
function nullOf(data: unknown, path: Path): Path {
  let value = data;
  for (const [depth, key] of path.entries()) {
    if (value === null || value === undefined) return path.slice(0, depth);
    value = isObject(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
  }
  return path;
}

function nullsOf({ data, errors = [] }: ExecutionResult): Path[] {
  return errors.map(({ path = [] }) => nullOf(data, path));
}

const isInRow = (path: Path) => path.some((key) => typeof key === 'number');
const inAnyRow = (path: Path) => path.map((key) => (typeof key === 'number' ? '*' : key)).join('.');

const CAUSES = times(3, (index) => new Error(`failed call ${index}`));

/** Lists of rows in lists of rows, of which some fail: with a cause of their own, or with one that others share. */
function failingSchema(random: Random): GraphQLSchema {
  const value = <T>(make: () => T) => {
    if (random.chance(15)) return random.pick([...CAUSES, new Error('own cause'), null]);
    return make();
  };
  const rows = () => times(random.below(6), () => value(() => ({})));
  const Row: GraphQLObjectType = new GraphQLObjectType({
    name: 'Row',
    fields: () => ({
      text: { type: GraphQLString, resolve: () => value(() => 'text') },
      required: { type: new GraphQLNonNull(GraphQLString), resolve: () => value(() => 'text') },
      number: { type: GraphQLInt, resolve: () => value(() => (random.chance(20) ? 'no number' : 7)) },
      ...lists(),
    }),
  });
  const lists = () => ({
    rows: { type: new GraphQLList(Row), resolve: () => value(rows) },
    strict: { type: new GraphQLList(new GraphQLNonNull(Row)), resolve: () => value(rows) },
  });
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: lists }) });
}

const SOURCE = `
  { a: rows { ...Row } b: strict { ...Row } c: rows { text } d: rows { required } }
  fragment Row on Row { text required number rows { text required } strict { number required } }`;

/** Values are drawn in the order of execution, which must be the same each time. */
class OneSlice extends Budget {
  override isSliceOver(): boolean {
    return false;
  }
}

const CASES = casesOf({ short: 10, long: 50 });

test('no null is left without an explanation, however few errors are kept', async () => {
  let cut = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 4 }), async (seed, maxErrors) => {
      const run = async (max: number) => {
        const schema = failingSchema(new Random(seed));
        const budget = new OneSlice({ maxObjects: 1e6, maxBytes: 1e9, maxErrors: max });
        return execute(planOperation({ schema, document: parse(SOURCE) }), undefined, budget);
      };
      const all = await run(1e6);
      const some = await run(maxErrors);
      expect(JSON.stringify(some.data)).toBe(JSON.stringify(all.data));
      const truncated = Number(some.extensions?.truncatedErrors ?? 0);
      expect((some.errors?.length ?? 0) + truncated).toBe(all.errors?.length ?? 0);
      const told = nullsOf(some);
      const toldPaths = new Set(told.map((path) => JSON.stringify(path)));
      const toldFields = some.errors?.map(({ path = [] }) => inAnyRow(path)) ?? [];
      for (const path of nullsOf(all)) {
        if (toldPaths.has(JSON.stringify(path))) continue;
        // Only what is in the rows of a list may go untold, and never without an error of its kind in another row.
        expect(truncated).toBeGreaterThan(0);
        expect(isInRow(path)).toBe(true);
        const kind = inAnyRow(path);
        expect(toldFields.filter((field) => `${field}.`.startsWith(`${kind}.`))).not.toEqual([]);
      }
      if (truncated > 0) cut += 1;
    }),
    { numRuns: CASES },
  );
  expect(cut).toBeGreaterThan(CASES / 5);
});

describe('errors', () => {
  const { root } = planOperation({
    schema: ownSchema,
    document: parse('{ debtors(administrationId: "1") { nodes { name } } companies { nodes { name } } }'),
  });
  const plans = root.fields.map((list) => {
    const nodes = present(list.objectPlans()[0]?.fields[0]);
    return { list, nodes, name: present(nodes.objectPlans()[0]?.fields[0]) };
  });
  const [debtors, companies] = [present(plans[0]), present(plans[1])];
  const at = (...keys: Path) =>
    keys.reduce<FieldFailure['path']>((prev, key) => ({ prev, key, typename: undefined }), undefined);
  const kept = (errors: FieldErrors) => errors.all.map(({ path }) => path?.join('.'));

  test('stay in the order in which they happened as long as none is cut', () => {
    const errors = new FieldErrors(3);
    for (const row of [0, 1]) {
      const path = at('debtors', 'nodes', row, 'name');
      errors.add(new FieldFailure(debtors.name, new InvalidValue('x'), path), path);
    }
    errors.add(new FieldFailure(companies.list, new Error('x'), at('companies')), at('companies'));
    expect(kept(errors)).toEqual(['debtors.nodes.0.name', 'debtors.nodes.1.name', 'companies']);
    expect(errors.truncated).toBe(0);
  });

  test('of a root field are there after any number of bad rows', () => {
    const errors = new FieldErrors(5);
    for (const row of times(1_000, (index) => index)) {
      const path = at('debtors', 'nodes', row);
      errors.add(new FieldFailure(debtors.nodes, new InvalidValue('x'), path), path);
    }
    errors.add(new FieldFailure(companies.list, new Error('x'), at('companies')), at('companies'));
    expect(kept(errors)).toEqual(['companies', ...times(4, (row) => `debtors.nodes.${row}`)]);
    expect(errors.truncated).toBe(996);
  });

  test('of another failed call go before those of one that is told already', () => {
    const errors = new FieldErrors(4);
    const [first, second] = [new Error('first call'), new Error('second call')];
    for (const row of times(10, (index) => index)) {
      const path = at('debtors', 'nodes', row);
      errors.add(new FieldFailure(debtors.nodes, row < 8 ? first : second, path), path);
    }
    expect(kept(errors)).toEqual([0, 8, 1, 2].map((row) => `debtors.nodes.${row}`));
    expect(errors.truncated).toBe(6);
  });

  test('of rows stay within the limit where each has a cause of its own', () => {
    const errors = new FieldErrors(4);
    for (const row of times(1_000, (index) => index)) {
      const path = at('debtors', 'nodes', row);
      errors.add(new FieldFailure(debtors.nodes, new Error('x'), path), path);
    }
    expect(kept(errors)).toEqual([0, 1, 2, 3].map((row) => `debtors.nodes.${row}`));
    expect(errors.truncated).toBe(996);
  });
});

test('arguments that are wrong in each row are read once, and the document is not read for their lines', async () => {
  const Row = new GraphQLObjectType({
    name: 'Row',
    fields: {
      number: { type: GraphQLInt, args: { of: { type: new GraphQLNonNull(GraphQLInt) } }, resolve: () => 7 },
    },
  });
  const rows = { type: new GraphQLList(Row), resolve: () => times(5, () => ({})) };
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { rows } }) });
  const document = parse('query ($of: Int = 1) {\n rows { number(of: $of) } }');
  const planned = planOperation({ schema, document, variableValues: { of: null } });
  const [plan] = present(planned.root.fields[0]).objectPlans();
  expect(() => planned.argumentsOf(present(plan?.fields[0]))).toThrow('must not be null');
  let reads = 0;
  const source = present(document.loc).source;
  const { body } = source;
  Object.defineProperty(source, 'body', {
    get() {
      reads += 1;
      return body;
    },
  });
  const { errors = [] } = await execute(planned, undefined, new Budget({ maxObjects: 1e6, maxBytes: 1e9 }));
  expect(errors.map(({ path, locations }) => ({ path, locations }))).toEqual(
    times(5, (index) => ({ path: ['rows', index, 'number'], locations: [{ line: 2, column: 20 }] })),
  );
  expect(new Set(errors.map(({ originalError }) => originalError)).size).toBe(1);
  expect(reads).toBe(0);
});
