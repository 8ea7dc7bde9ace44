import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isObjectType,
} from 'graphql';
import type { Random } from './random.ts';

/** Names that objects of JavaScript have already, and plain ones. */
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

/**
 * A document of one operation, with aliases, fragments and conditions; it may be one that is not valid. `within` is what
 * the selection on this type stands in.
 */
export function randomDocument(
  random: Random,
  schema: GraphQLSchema,
  [root, within]: readonly [root: GraphQLNamedType, within: (selection: string) => string],
): string {
  const fragments: string[] = [];

  function selections(type: GraphQLNamedType, depth: number): string {
    const count = 1 + random.below(4);
    return `{ __typename ${Array.from({ length: count }, () => selection(type, depth)).join(' ')} }`;
  }

  function selection(type: GraphQLNamedType, depth: number): string {
    const how = random.below(10);
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    if (depth <= 0) return field(fields, 0);
    if (how === 0) return `... ${selections(type, depth - 1)}`;
    if (how === 1) return named(type, depth - 1);
    if (how < 4 || fields.length === 0) return narrowed(type, depth - 1);
    return field(fields, depth);
  }

  function field(fields: readonly GraphQLField<unknown, unknown>[], depth: number): string {
    const candidates = fields.filter(
      ({ type, args }) => args.length === 0 && (depth > 0 || isLeafType(getNamedType(type))),
    );
    if (candidates.length === 0) return '__typename';
    const { name, type } = random.pick(candidates);
    const alias = random.chance(30) ? `${random.pick(ALIASES)}: ` : '';
    const condition = random.chance(15) ? ` ${random.pick(CONDITIONS)}` : '';
    const inside = getNamedType(type);
    return `${alias}${name}${condition}${isLeafType(inside) ? '' : ` ${selections(inside, depth - 1)}`}`;
  }

  /** A fragment on one of the types that the type may turn out to be. */
  function narrowed(type: GraphQLNamedType, depth: number): string {
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
    const chosen = possible.length > 0 ? random.pick(possible) : type;
    return `... on ${chosen.name} ${selections(chosen, depth)}`;
  }

  function named(type: GraphQLNamedType, depth: number): string {
    const index = fragments.push('') - 1;
    fragments[index] = `fragment f${index} on ${type.name} ${selections(type, depth)}`;
    const spread = `...f${index}`;
    if (random.chance(20)) return `${spread} ${spread}`;
    return random.chance(20) ? `${spread} ${random.pick(CONDITIONS)} ${spread}` : spread;
  }

  const kind = root === schema.getMutationType() ? 'mutation' : 'query';
  // Both variables are used in any case, so that the document is valid.
  const used = 'used: __typename @include(if: $yes) @skip(if: $no)';
  const body = within(selections(root, DEPTH)).replace('{', `{ ${used}`);
  return `${kind} ($yes: Boolean!, $no: Boolean = false) ${body} ${fragments.join(' ')}`;
}
