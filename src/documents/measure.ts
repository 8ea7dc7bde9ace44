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
import { tooExpensive } from '../http/request-error.ts';
import { add, checkLevel, checkLimits, EMPTY, type Size } from './size.ts';

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
