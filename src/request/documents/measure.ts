import {
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { truncate } from '../../execution/input-words.ts';
import { tooExpensive } from '../../http/errors.ts';
import { getOrCreate } from '../../memoize.ts';

const INTROSPECTION: ReadonlySet<string> = new Set([SchemaMetaFieldDef.name, TypeMetaFieldDef.name]);

/** Inline fragments add no level to the response, but unlimited nesting would exceed the call stack. */
const INLINE_LEVEL = 0.2;

/** As many as there may be fragments: validation compares each with each, whether it is defined or not. */
const MAX_UNKNOWN = 50;

/**
 * What is counted over all operations of a document, how much of it there may be, and how errors call it. A fragment
 * counts each time it is spread. A list counts as one value, plus one for each of its items; each introspection can
 * return the whole schema.
 */
const LIMITS = [
  ['levels', 20, 'levels'],
  ['fields', 1_500, 'fields'],
  ['aliases', 200, 'aliases'],
  ['directives', 200, 'directives'],
  ['spreads', 500, 'spreads of fragments'],
  ['values', 5_000, 'values in arguments'],
  ['variables', 200, 'variables'],
  ['introspections', 5, 'fields `__schema` and `__type`'],
] as const;

const [LEVELS] = LIMITS;

type Size = { [count in (typeof LIMITS)[number][0]]?: number };

function add(total: Size, added: Size): void {
  for (const limit of LIMITS) {
    const [count, most] = limit;
    const [before = 0, more = 0] = [total[count], added[count]];
    const sum = count === 'levels' ? Math.max(before, more) : before + more;
    if (sum > most) throw tooMany(limit);
    total[count] = sum;
  }
}

/** Called before a level is visited too, to limit the recursion. */
function checkLevel(level: number): void {
  const [, most] = LEVELS;
  if (level > most) throw tooMany(LEVELS);
}

export function tooMany([, most, name]: (typeof LIMITS)[number] = LEVELS): GraphQLError {
  return tooExpensive(`The document has more than ${most} ${name}. Ask for less at a time.`);
}

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Each fragment is measured once, however often it is spread: the time is linear in the length of the document. */
export function checkSize({ definitions }: DocumentNode, fragments: Fragments): void {
  const measured = new Map<FragmentDefinitionNode, Size>();
  const visiting = new Set<FragmentDefinitionNode>();
  const unknown = new Set<string>();

  function sizeOf({ selections }: SelectionSetNode, level: number): Size {
    checkLevel(level);
    const size: Size = {};
    for (const node of selections) {
      add(size, directivesSize(node.directives, level));
      addSelection(size, node, level);
    }
    return size;
  }

  function addSelection(size: Size, node: SelectionNode, level: number): void {
    if (node.kind === Kind.FIELD) {
      const { levels = 0, ...nested } = node.selectionSet ? sizeOf(node.selectionSet, level + 1) : {};
      add(size, { ...nested, levels: levels + 1 });
      add(size, {
        fields: 1,
        aliases: node.alias ? 1 : 0,
        values: countArgumentValues(node.arguments, level),
        introspections: INTROSPECTION.has(node.name.value) ? 1 : 0,
      });
      return;
    }
    add(size, { spreads: 1 });
    if (node.kind === Kind.INLINE_FRAGMENT) add(size, sizeOf(node.selectionSet, level + INLINE_LEVEL));
    else add(size, spreadSize(node.name.value, level));
  }

  function spreadSize(name: string, level: number): Size {
    const fragment = fragments.get(name);
    if (fragment) return fragmentSize(fragment, level);
    unknown.add(name);
    if (unknown.size <= MAX_UNKNOWN) return {};
    throw tooExpensive(`The document spreads more than ${MAX_UNKNOWN} fragments that it does not define.`);
  }

  function fragmentSize(fragment: FragmentDefinitionNode, level: number): Size {
    const known = measured.get(fragment);
    if (known) return known;
    if (visiting.has(fragment)) throw cycleError(fragment);
    visiting.add(fragment);
    const size = directivesSize(fragment.directives, level);
    add(size, sizeOf(fragment.selectionSet, level));
    visiting.delete(fragment);
    measured.set(fragment, size);
    return size;
  }

  const total: Size = {};
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragmentSize(definition, 1);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { directives, variableDefinitions = [], selectionSet } = definition;
    add(total, directivesSize(directives, 1));
    for (const variable of variableDefinitions) {
      add(total, directivesSize(variable.directives, 1));
      add(total, { variables: 1, values: variable.defaultValue ? countValues(variable.defaultValue, 1) : 0 });
    }
    add(total, sizeOf(selectionSet, 1));
  }
}

function directivesSize(directives: readonly DirectiveNode[] = [], level: number): Size {
  let values = 0;
  for (const directive of directives) values += countArgumentValues(directive.arguments, level);
  return { directives: directives.length, values };
}

function countArgumentValues(nodes: readonly ArgumentNode[] = [], level = 1): number {
  let values = 0;
  for (const { value } of nodes) values += countValues(value, level);
  return values;
}

function countValues(value: ValueNode, level: number): number {
  checkLevel(level);
  let values = 1;
  if (value.kind === Kind.LIST) for (const item of value.values) values += countValues(item, level + 1);
  if (value.kind === Kind.OBJECT)
    for (const member of value.fields) values += countValues(member.value, level + 1);
  return values;
}

/** Validation reports cycles too, but only after rules that would follow them. */
function cycleError(fragment: FragmentDefinitionNode): GraphQLError {
  return new GraphQLError(`Cannot spread fragment "${fragment.name.value}" within itself.`, {
    nodes: fragment.name,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
}

/** Validation compares all fields of one response name pairwise: 140 of one name are about this many pairs. */
const MAX_PAIRS = 10_000;
/** To compare arguments, it writes each of their values out once, which takes as long as this many pairs. */
const PAIRS_PER_VALUE = 2;

/**
 * Throws if validation would make too many comparisons. Requires that the document passed `checkSize`: its size is
 * limited and its fragments have no cycles, so that visiting all selections with fragments expanded is fast.
 */
export function checkOverlaps(sets: readonly SelectionSetNode[], fragments: Fragments): void {
  let pairs = 0;
  const written = new Set<FieldNode>();

  function pairsOf(nodes: readonly FieldNode[]): number {
    if (nodes.length < 2) return 0;
    let values = 0;
    for (const node of nodes) {
      if (written.has(node)) continue;
      written.add(node);
      values += countArgumentValues(node.arguments);
    }
    return (nodes.length * (nodes.length - 1)) / 2 + values * PAIRS_PER_VALUE;
  }

  /** Visits the selection sets that are merged into one object of the response. */
  function visitSets(mergedSets: readonly SelectionSetNode[]): void {
    for (const [name, nodes] of collectFields(mergedSets, fragments)) {
      pairs += pairsOf(nodes);
      if (pairs > MAX_PAIRS) throw tooManyFields(name, nodes.length);
      const nested = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (nested.length > 0) visitSets(nested);
    }
  }

  for (const set of sets) visitSets([set]);
}

/** The fields by response name. Each fragment is expanded once, since spreading it again adds nothing. */
function collectFields(sets: readonly SelectionSetNode[], fragments: Fragments): Map<string, FieldNode[]> {
  const byName = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  function collect({ selections }: SelectionSetNode): void {
    for (const node of selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      else if (node.kind === Kind.FIELD) {
        const name = node.alias?.value ?? node.name.value;
        getOrCreate(byName, name, () => []).push(node);
      } else if (!visited.has(node.name.value)) {
        visited.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  }
  for (const set of sets) collect(set);
  return byName;
}

function tooManyFields(name: string, count: number) {
  return tooExpensive(
    `The document asks for the same names too often, such as for \`${truncate(name, 100)}\` ${count} times in one place: ` +
      'ask once.',
  );
}
