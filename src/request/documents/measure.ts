import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { truncate } from '../../execution/input-words.ts';
import { tooExpensive } from '../../http/errors.ts';
import { getOrCreate } from '../../memoize.ts';

/** Inline fragments add no level to the response, but unlimited nesting would exceed the call stack. */
const INLINE_LEVEL = 0.2;
const MAX_LEVELS = 20;
/** Validation compares fragments pairwise, whether they are defined or not. */
const MAX_FRAGMENTS = 50;

/** What is counted over all operations of a document; a fragment counts each time it is spread. */
const LIMITS = {
  fields: 1_500,
  aliases: 200,
  directives: 200,
  'spreads of fragments': 500,
  'values in arguments': 5_000,
  variables: 200,
  // Each can return the whole schema.
  'fields `__schema` and `__type`': 5,
};

export function tooMany(most = MAX_LEVELS, name = 'levels'): GraphQLError {
  return tooExpensive(`The document has more than ${most} ${name}. Ask for less at a time.`);
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Throws if a document would take too long to validate or to execute. */
export function measure(document: DocumentNode): void {
  const fragments = fragmentsOf(document);
  checkSize(document, fragments);
  checkOverlaps(document, fragments);
}

/** Fragments by name. Duplicate names, which validation rejects later, count towards the limit. */
function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const all = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  if (all.length > MAX_FRAGMENTS)
    throw tooExpensive(`The document has more than ${MAX_FRAGMENTS} fragments.`);
  return new Map(all.map((node) => [node.name.value, node]));
}

/** Visits fragments wherever they are spread: whatever is visited counts, so that it ends soon. */
function checkSize({ definitions }: DocumentNode, fragments: Fragments): void {
  const counts = new Map<keyof typeof LIMITS, number>();
  const open = new Set<FragmentDefinitionNode>();
  const visited = new Set<FragmentDefinitionNode>();
  const unknown = new Set<string>();

  function count(what: keyof typeof LIMITS): void {
    const sum = (counts.get(what) ?? 0) + 1;
    if (sum > LIMITS[what]) throw tooMany(LIMITS[what], what);
    counts.set(what, sum);
  }

  function visitValue(value: ValueNode, level: number): void {
    if (level > MAX_LEVELS) throw tooMany();
    count('values in arguments');
    if (value.kind === Kind.LIST) for (const item of value.values) visitValue(item, level + 1);
    if (value.kind === Kind.OBJECT) for (const member of value.fields) visitValue(member.value, level + 1);
  }

  function visitDirectives(directives: readonly DirectiveNode[] = [], level = 1): void {
    for (const directive of directives) {
      count('directives');
      for (const { value } of directive.arguments ?? []) visitValue(value, level);
    }
  }

  function visitSet({ selections }: SelectionSetNode, level: number): void {
    if (level > MAX_LEVELS) throw tooMany();
    for (const node of selections) {
      visitDirectives(node.directives, level);
      if (node.kind === Kind.FIELD) visitField(node, level);
      else {
        count('spreads of fragments');
        if (node.kind === Kind.INLINE_FRAGMENT) visitSet(node.selectionSet, level + INLINE_LEVEL);
        else visitSpread(node.name.value, level);
      }
    }
  }

  function visitField(node: FieldNode, level: number): void {
    count('fields');
    if (node.alias) count('aliases');
    if (/^__(schema|type)$/.test(node.name.value)) count('fields `__schema` and `__type`');
    for (const { value } of node.arguments ?? []) visitValue(value, level);
    if (node.selectionSet) visitSet(node.selectionSet, level + 1);
  }

  function visitSpread(name: string, level: number): void {
    const fragment = fragments.get(name);
    if (fragment) visitFragment(fragment, level);
    else if (unknown.add(name).size > MAX_FRAGMENTS)
      throw tooExpensive(
        `The document spreads more than ${MAX_FRAGMENTS} fragments that it does not define.`,
      );
  }

  function visitFragment(fragment: FragmentDefinitionNode, level: number): void {
    if (open.has(fragment)) throw cycleError(fragment);
    open.add(fragment);
    visited.add(fragment);
    visitDirectives(fragment.directives, level);
    visitSet(fragment.selectionSet, level);
    open.delete(fragment);
  }

  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    visitDirectives(definition.directives);
    for (const variable of definition.variableDefinitions ?? []) {
      count('variables');
      visitDirectives(variable.directives);
      if (variable.defaultValue) visitValue(variable.defaultValue, 1);
    }
    visitSet(definition.selectionSet, 1);
  }
  // What nobody spreads is validated too.
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION && !visited.has(definition))
      visitFragment(definition, 1);
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

/** graphql-js gives up by itself, but only after a second. Requires that the document passed `checkSize`. */
function checkOverlaps({ definitions }: DocumentNode, fragments: Fragments): void {
  let pairs = 0;

  /** Visits the selection sets that are merged into one object of the response. */
  function visitSets(sets: readonly SelectionSetNode[]): void {
    for (const [name, nodes] of fieldsByName(sets, fragments)) {
      if (nodes.length > 1) {
        pairs += (nodes.length * (nodes.length - 1)) / 2;
        // To compare arguments, it writes them out: a character takes about as long as a pair.
        for (const node of nodes) pairs += argumentsLength(node);
      }
      if (pairs > MAX_PAIRS)
        throw tooExpensive(
          `The document asks for the same names too often, such as for \`${truncate(name, 100)}\` ` +
            `${nodes.length} times in one place: ask once.`,
        );
      const nested = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (nested.length > 0) visitSets(nested);
    }
  }

  for (const definition of definitions)
    if ('selectionSet' in definition) visitSets([definition.selectionSet]);
}

function argumentsLength({ arguments: args = [] }: FieldNode): number {
  const [first, last] = [args[0]?.loc, args.at(-1)?.loc];
  return first && last ? last.end - first.start : 0;
}

/** By response name. Each fragment is visited once, since spreading it again adds nothing. */
function fieldsByName(sets: readonly SelectionSetNode[], fragments: Fragments): Map<string, FieldNode[]> {
  const byName = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  function collect({ selections }: SelectionSetNode): void {
    for (const node of selections) {
      if (node.kind === Kind.FIELD)
        getOrCreate(byName, node.alias?.value ?? node.name.value, () => []).push(node);
      else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      else if (!visited.has(node.name.value)) {
        visited.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  }
  for (const set of sets) collect(set);
  return byName;
}
