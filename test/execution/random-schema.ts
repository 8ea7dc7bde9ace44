import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { markDerived, registerBatchResolver } from '../../src/execution/plan.ts';
import { isObject } from '../../src/rest/json.ts';
import type { Random } from './random.ts';

/** Makes a new value at each call: promises cannot be used twice. */
type Make = () => unknown;

const COLOUR = new GraphQLEnumType({ name: 'Colour', values: { RED: { value: 'red' }, BLUE: {} } });
const LEAVES = [GraphQLString, GraphQLInt, GraphQLBoolean, GraphQLID, COLOUR] as const;

/** Values for leaves, which fit some of them and not others. */
const VALUES = ['text', '', 7, -1, 1.5, 2 ** 40, true, false, 'red', 'BLUE', {}, []] as const;

/** More than it takes until code is made for a selection. */
const MANY = 25;

/** A schema of random types whose resolvers return, throw and promise values of right and wrong types. */
export function randomSchema(random: Random): GraphQLSchema {
  const chance = (percent: number) => random.chance(percent);
  const pick = <T>(items: readonly T[]): T => random.pick(items);

  const objects: GraphQLObjectType[] = [];
  const abstracts: (GraphQLInterfaceType | GraphQLUnionType)[] = [];
  const named = () => {
    const kind = random.below(10);
    if (kind < 3) return pick(objects);
    return kind < 6 ? pick(abstracts) : pick(LEAVES);
  };

  function maybeNonNull(type: GraphQLNullableType & GraphQLOutputType): GraphQLOutputType {
    return chance(30) ? new GraphQLNonNull(type) : type;
  }

  function wrapped(type: GraphQLOutputType, depth = 0): GraphQLOutputType {
    const present = chance(40) ? new GraphQLNonNull(type) : type;
    return depth < 2 && chance(25) ? wrapped(new GraphQLList(present), depth + 1) : present;
  }

  function leaf(): unknown {
    return chance(8) ? null : pick(VALUES);
  }

  function fittingLeaf(type: GraphQLOutputType): unknown {
    if (type === GraphQLInt) return 7;
    if (type === GraphQLBoolean) return true;
    return type === COLOUR ? 'red' : 'text';
  }

  function record(type: GraphQLOutputType): Make {
    // Sometimes returns a type that does not exist or is not a possible one, or a wrong value.
    const kind = chance(4) ? pick(['Nobody', 'Colour', null]) : pick(objects).name;
    const [text, number] = [chance(90) ? 'text' : leaf(), chance(90) ? 7 : leaf()];
    const possible = isAbstractType(type) ? kind : undefined;
    const own = { kind: possible, text, number };
    // Within it, as a REST record has them: an address, labels, tags.
    const inner = chance(80) ? { text: chance(90) ? 'text' : leaf(), number } : null;
    const items = Array.from({ length: random.below(3) }, () => (chance(90) ? own : null));
    const tags = Array.from({ length: random.below(3) }, () => (chance(90) ? 'tag' : leaf()));
    const lists = chance(90) ? { items, tags } : { items: pick([null, 'no list', {}]), tags: undefined };
    return () => ({ ...own, inner, ...lists });
  }

  /** Computes a value from a record: mostly one that fits, synchronously. */
  function computation(type: GraphQLOutputType): Make {
    if (!chance(10)) return value(type);
    return () => {
      throw new Error('thrown by a computation');
    };
  }

  function computed(type: GraphQLOutputType) {
    const compute = computation(type);
    return { type, resolve: replaced(type) ?? markDerived(() => compute()) };
  }

  function value(type: GraphQLOutputType): Make {
    if (isNonNullType(type)) return value(type.ofType);
    if (chance(5)) return () => null;
    if (chance(3)) return () => undefined;
    if (chance(3)) return () => new Error('given');
    if (isListType(type)) return list(type.ofType);
    if (!isLeafType(type)) return record(type);
    const given = chance(85) ? fittingLeaf(type) : leaf();
    return () => given;
  }

  function list(itemType: GraphQLOutputType): Make {
    if (chance(4)) return () => 'no list';
    const items = Array.from({ length: random.below(4) }, () => settledSomehow(value(itemType)));
    const first = items[0];
    // The others come after those that code is made for, so that it meets them as well.
    const many = first && chance(20) ? [...Array.from({ length: MANY }, () => first), ...items] : items;
    return () => many.map((make) => make());
  }

  /** An item of a list, or what a resolver gives: at once, or later, or not at all. */
  function settledSomehow(make: Make): Make {
    const how = random.below(20);
    if (how < 3) return async () => make();
    if (how === 3) return () => Promise.reject(new Error('rejected'));
    if (how === 4) return () => new Promise((resolve) => setTimeout(() => resolve(make())));
    return make;
  }

  /** A field that is resolved for many rows at once; some batches fail as a whole. */
  function batched(type: GraphQLOutputType) {
    const make = value(type);
    const fails = chance(15);
    const resolve = () => (fails ? Promise.reject(new Error('a batch failed')) : Promise.resolve(make()));
    const resolveBatch = (sources: readonly object[]) => Promise.all(sources.map(resolve));
    registerBatchResolver(resolve, { resolve: resolveBatch });
    return { type, resolve: replaced(type) ?? resolve };
  }

  /** Now and then a plugin has put a resolver of its own in the place of one. */
  function replaced(type: GraphQLOutputType): Make | undefined {
    return chance(15) ? resolver(type) : undefined;
  }

  /** A plain member, which a plugin may have given a resolver. */
  function exposed(type: GraphQLOutputType) {
    const resolve = replaced(type);
    return { type, ...(resolve && { resolve }) };
  }

  function resolver(type: GraphQLOutputType): Make {
    if (chance(4))
      return () => {
        throw new Error('thrown');
      };
    return settledSomehow(value(type));
  }

  function fields(): GraphQLFieldConfigMap<unknown, unknown> {
    const own: GraphQLFieldConfigMap<unknown, unknown> = {
      text: exposed(chance(30) ? new GraphQLNonNull(GraphQLString) : GraphQLString),
      number: exposed(chance(30) ? new GraphQLNonNull(GraphQLInt) : GraphQLInt),
    };
    own.inner = exposed(maybeNonNull(pick(objects)));
    own.items = exposed(maybeNonNull(new GraphQLList(maybeNonNull(pick(objects)))));
    own.tags = exposed(maybeNonNull(new GraphQLList(maybeNonNull(GraphQLString))));
    own.made = computed(maybeNonNull(pick(LEAVES)));
    own.batched = batched(chance(70) ? pick(objects) : pick(LEAVES));
    own.madeInner = computed(maybeNonNull(pick(objects)));
    for (const name of ['a', 'b', 'c', 'then']) {
      const type = wrapped(named());
      own[name] = { type, resolve: resolver(type) };
    }
    return own;
  }

  // Fields of an interface are those of the type that all its objects share.
  const shared = { type: GraphQLString, resolve: resolver(GraphQLString) };
  const interfaces = [0, 1].map(
    (index) =>
      new GraphQLInterfaceType({
        name: `Interface${index}`,
        fields: { shared },
        resolveType: kindOf,
      }),
  );
  for (let index = 0; index < 3; index += 1) {
    const implemented = interfaces.filter(() => chance(60));
    objects.push(
      new GraphQLObjectType({
        name: `Object${index}`,
        interfaces: implemented,
        fields: () => ({ shared, ...fieldsOf(index) }),
      }),
    );
  }
  const union = new GraphQLUnionType({
    name: 'Union',
    types: [...new Set([pick(objects), pick(objects)])],
    resolveType: kindOf,
  });
  abstracts.push(...interfaces, union);
  const made = objects.map(() => fields());
  const fieldsOf = (index: number) => made[index] ?? {};

  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: fields() }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: fields() }),
    types: objects,
  });
}

function kindOf(record: unknown): string | undefined {
  return isObject(record) && typeof record.kind === 'string' ? record.kind : undefined;
}
