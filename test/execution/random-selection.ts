import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
} from 'graphql';
import type { Random } from './random.ts';

/** Names that objects of JavaScript have already, beside plain ones. */
const ALIASES = ['then', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'x', 'catch'] as const;
const CONDITIONS = [
  '@include(if: true)',
  '@skip(if: true)',
  '@include(if: $yes)',
  '@skip(if: $yes)',
  '@include(if: $no) @skip(if: $yes)',
] as const;
/** Fragments count as well: they would multiply without an end. */
const DEPTH = 5;

/** A document of one operation, with aliases, fragments and conditions; it may be one that is not valid. */
export function randomDocument(random: Random, schema: GraphQLSchema): string {
  const fragments: string[] = [];

  function selections(type: GraphQLNamedType, depth: number): string {
    const count = 1 + random.below(4);
    return `{ __typename ${Array.from({ length: count }, () => selection(type, depth)).join(' ')} }`;
  }

  function selection(type: GraphQLNamedType, depth: number): string {
    const how = random.below(10);
    const hasFields = isObjectType(type) || isInterfaceType(type);
    if (depth <= 0) return hasFields ? field(type.getFields(), 0) : '__typename';
    if (how === 0) return `... ${selections(type, depth - 1)}`;
    if (how === 1) return named(type, depth - 1);
    if (how < 4 || !hasFields) return narrowed(type, depth - 1);
    return field(type.getFields(), depth);
  }

  function field(
    fields: { readonly [name: string]: { readonly type: GraphQLOutputType } },
    depth: number,
  ): string {
    const candidates = Object.entries(fields).filter(
      ([, { type }]) => depth > 0 || isLeafType(getNamedType(type)),
    );
    if (candidates.length === 0) return '__typename';
    const [name, { type }] = random.pick(candidates);
    const alias = random.chance(30) ? `${random.pick(ALIASES)}: ` : '';
    const condition = random.chance(15) ? ` ${random.pick(CONDITIONS)}` : '';
    const inside = getNamedType(type);
    return `${alias}${name}${condition}${isLeafType(inside) ? '' : ` ${selections(inside, depth - 1)}`}`;
  }

  /** A fragment on one of the types that the type may turn out to be. */
  function narrowed(type: GraphQLNamedType, depth: number): string {
    const possible = isObjectType(type)
      ? [type]
      : Object.values(schema.getTypeMap()).filter((each) => isObjectType(each) && /^Object/.test(each.name));
    const chosen = random.pick(possible);
    return `... on ${chosen.name} ${selections(chosen, depth)}`;
  }

  function named(type: GraphQLNamedType, depth: number): string {
    const name = `f${fragments.length}`;
    fragments.push('');
    fragments[Number(name.slice(1))] = `fragment ${name} on ${type.name} ${selections(type, depth)}`;
    const spread = `...${name}`;
    if (random.chance(20)) return `${spread} ${spread}`;
    return random.chance(20) ? `${spread} ${random.pick(CONDITIONS)} ${spread}` : spread;
  }

  const isMutation = random.chance(30);
  const root = isMutation ? schema.getMutationType() : schema.getQueryType();
  const body = root ? selections(root, DEPTH) : '{ __typename }';
  // Both variables are used in any case, so that the document is valid.
  const used = body.replace('{', '{ used: __typename @include(if: $yes) @skip(if: $no)');
  const kind = isMutation ? 'mutation' : 'query';
  return `${kind} ($yes: Boolean!, $no: Boolean = false) ${used} ${fragments.join(' ')}`;
}
