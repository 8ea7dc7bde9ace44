import {
  type ArgumentNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { tooExpensive } from '../../http/errors.ts';

const INTROSPECTION: ReadonlySet<string> = new Set([SchemaMetaFieldDef.name, TypeMetaFieldDef.name]);

/** Inline fragments add no level to the response, but unlimited nesting would exceed the call stack. */
const INLINE_LEVEL = 0.2;

/** As many as there may be fragments: validation compares each with each, whether it is defined or not. */
const MAX_UNKNOWN = 50;

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * Throws if a document exceeds the size limits. Each fragment is measured once however often it is spread, so the time
 * is linear in the length of the document, even if its fragments multiply exponentially.
 */
export function checkSize({ definitions }: DocumentNode, fragments: Fragments): void {
  const measured = new Map<FragmentDefinitionNode, Size>();
  const visiting = new Set<FragmentDefinitionNode>();
  const unknown = new Set<string>();

  function fragmentSize(fragment: FragmentDefinitionNode, level: number): Size {
    const cached = measured.get(fragment);
    if (cached) return cached;
    if (visiting.has(fragment)) throw cycleError(fragment);
    visiting.add(fragment);
    const size = checkLimits(
      add(directivesSize(fragment, level), selectionSetSize(fragment.selectionSet, level)),
    );
    visiting.delete(fragment);
    measured.set(fragment, size);
    return size;
  }

  function selectionSetSize({ selections }: SelectionSetNode, level: number): Size {
    checkLevel(level);
    return selections.reduce((sum, node) => checkLimits(add(sum, selectionSize(node, level))), EMPTY);
  }

  function selectionSize(node: SelectionNode, level: number): Size {
    const ownSize = directivesSize(node, level);
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(node.name.value);
      if (fragment) return add(withSpread(ownSize), fragmentSize(fragment, level));
      unknown.add(node.name.value);
      if (unknown.size > MAX_UNKNOWN) throw tooManyUnknown();
      return withSpread(ownSize);
    }
    if (node.kind === Kind.INLINE_FRAGMENT)
      return add(withSpread(ownSize), selectionSetSize(node.selectionSet, level + INLINE_LEVEL));
    const nested = node.selectionSet ? selectionSetSize(node.selectionSet, level + 1) : EMPTY;
    const field = {
      levels: nested.levels + 1,
      fields: 1,
      aliases: node.alias ? 1 : 0,
      directives: ownSize.directives,
      spreads: 0,
      values: ownSize.values + countArgumentValues(node.arguments, level),
      variables: 0,
      introspections: INTROSPECTION.has(node.name.value) ? 1 : 0,
    };
    return add(field, { ...nested, levels: 0 });
  }

  let sum = EMPTY;
  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION)
      sum = checkLimits(add(sum, add(headerSize(definition), selectionSetSize(definition.selectionSet, 1))));
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragmentSize(definition, 1);
  }
}

/** The size of an operation without its selection set. */
function headerSize(operation: OperationDefinitionNode): Size {
  let size = directivesSize(operation, 1);
  for (const variable of operation.variableDefinitions ?? []) {
    const values = variable.defaultValue ? countValues(variable.defaultValue, 1) : 0;
    size = checkLimits(add(size, add(directivesSize(variable, 1), { ...EMPTY, values, variables: 1 })));
  }
  return size;
}

type Directed = Pick<OperationDefinitionNode, 'directives'>;

function directivesSize({ directives = [] }: Directed, level: number): Size {
  let values = 0;
  for (const directive of directives) values += countArgumentValues(directive.arguments, level);
  return { ...EMPTY, directives: directives.length, values };
}

export function countArgumentValues(nodes: readonly ArgumentNode[] | undefined, level = 1): number {
  let values = 0;
  for (const { value } of nodes ?? []) values += countValues(value, level);
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

function withSpread(size: Size): Size {
  return { ...size, spreads: 1 };
}

function tooManyUnknown() {
  return tooExpensive(`The document spreads more than ${MAX_UNKNOWN} fragments that it does not define.`);
}

/** Validation reports cycles too, but only after rules that would follow them. */
function cycleError(fragment: FragmentDefinitionNode): GraphQLError {
  return new GraphQLError(`Cannot spread fragment "${fragment.name.value}" within itself.`, {
    nodes: fragment.name,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
}

/** The totals over all operations of a document. A fragment counts each time it is spread. */
interface Size {
  readonly levels: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
  /** Fragment spreads and inline fragments. */
  readonly spreads: number;
  /** Values in arguments and defaults: a list counts as one, plus one for each of its items. */
  readonly values: number;
  readonly variables: number;
  /** `__schema` and `__type` fields, each of which can return the whole schema. */
  readonly introspections: number;
}

const EMPTY: Size = {
  levels: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
  spreads: 0,
  values: 0,
  variables: 0,
  introspections: 0,
};

const LIMITS: Size = {
  levels: 20,
  fields: 1_500,
  aliases: 200,
  directives: 200,
  spreads: 500,
  values: 5_000,
  variables: 200,
  introspections: 5,
};

export function add(a: Size, b: Size): Size {
  return {
    levels: Math.max(a.levels, b.levels),
    fields: a.fields + b.fields,
    aliases: a.aliases + b.aliases,
    directives: a.directives + b.directives,
    spreads: a.spreads + b.spreads,
    values: a.values + b.values,
    variables: a.variables + b.variables,
    introspections: a.introspections + b.introspections,
  };
}

/** For error messages. */
const NAMES: { readonly [count in keyof Size]: string } = {
  levels: 'levels',
  fields: 'fields',
  aliases: 'aliases',
  directives: 'directives',
  spreads: 'spreads of fragments',
  values: 'values in arguments',
  variables: 'variables',
  introspections: 'fields `__schema` and `__type`',
};

/** Returns the size; throws if it exceeds a limit. */
function checkLimits(size: Size): Size {
  checkLevel(size.levels);
  if (size.fields > LIMITS.fields) throw tooMany('fields');
  if (size.aliases > LIMITS.aliases) throw tooMany('aliases');
  if (size.directives > LIMITS.directives) throw tooMany('directives');
  if (size.spreads > LIMITS.spreads) throw tooMany('spreads');
  if (size.values > LIMITS.values) throw tooMany('values');
  if (size.variables > LIMITS.variables) throw tooMany('variables');
  if (size.introspections > LIMITS.introspections) throw tooMany('introspections');
  return size;
}

/** Also called before visiting a level, to limit the recursion. */
function checkLevel(level: number): void {
  if (level > LIMITS.levels) throw tooMany('levels');
}

export function tooMany(count: keyof Size): GraphQLError {
  return tooExpensive(`The document has more than ${LIMITS[count]} ${NAMES[count]}. Ask for less at a time.`);
}
