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
import { add, checkLevel, NOTHING, type Size, within } from './size.ts';

const INTROSPECTION: ReadonlySet<string> = new Set([SchemaMetaFieldDef.name, TypeMetaFieldDef.name]);

/** An inline fragment adds nothing to an answer, but without end it would exhaust the stack. */
const INLINE_LEVEL = 0.2;

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * Refuses a document that is larger than the limits on its size. Each fragment is measured once however often it is spread, so that
 * a document which multiplies them is found out in the time that its text takes.
 */
export function checkSize({ definitions }: DocumentNode, fragments: Fragments): void {
  const measured = new Map<FragmentDefinitionNode, Size>();
  const underWay = new Set<FragmentDefinitionNode>();

  function ofFragment(fragment: FragmentDefinitionNode, level: number): Size {
    const known = measured.get(fragment);
    if (known) return known;
    if (underWay.has(fragment)) throw spreadsItself(fragment);
    underWay.add(fragment);
    const size = within(add(ofDirectives(fragment, level), ofSet(fragment.selectionSet, level)));
    underWay.delete(fragment);
    measured.set(fragment, size);
    return size;
  }

  function ofSet({ selections }: SelectionSetNode, level: number): Size {
    checkLevel(level);
    return selections.reduce((sum, node) => within(add(sum, ofNode(node, level))), NOTHING);
  }

  function ofNode(node: SelectionNode, level: number): Size {
    const own = ofDirectives(node, level);
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(node.name.value);
      return fragment ? add(spread(own), ofFragment(fragment, level)) : spread(own);
    }
    if (node.kind === Kind.INLINE_FRAGMENT)
      return add(spread(own), ofSet(node.selectionSet, level + INLINE_LEVEL));
    const inside = node.selectionSet ? ofSet(node.selectionSet, level + 1) : NOTHING;
    const field = {
      levels: inside.levels + 1,
      fields: 1,
      aliases: node.alias ? 1 : 0,
      directives: own.directives,
      spreads: 0,
      values: own.values + ofArguments(node.arguments, level),
      variables: 0,
      introspections: INTROSPECTION.has(node.name.value) ? 1 : 0,
    };
    return add(field, { ...inside, levels: 0 });
  }

  let sum = NOTHING;
  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION)
      sum = within(add(sum, add(ofHead(definition), ofSet(definition.selectionSet, 1))));
    if (definition.kind === Kind.FRAGMENT_DEFINITION) ofFragment(definition, 1);
  }
}

/** Of an operation, without what it selects. */
function ofHead(operation: OperationDefinitionNode): Size {
  let size = ofDirectives(operation, 1);
  for (const variable of operation.variableDefinitions ?? []) {
    const values = variable.defaultValue ? ofValue(variable.defaultValue, 1) : 0;
    size = within(add(size, add(ofDirectives(variable, 1), { ...NOTHING, values, variables: 1 })));
  }
  return size;
}

type Directed = Pick<OperationDefinitionNode, 'directives'>;

function ofDirectives({ directives = [] }: Directed, level: number): Size {
  let values = 0;
  for (const directive of directives) values += ofArguments(directive.arguments, level);
  return { ...NOTHING, directives: directives.length, values };
}

function ofArguments(given: readonly ArgumentNode[] | undefined, level: number): number {
  let values = 0;
  for (const { value } of given ?? []) values += ofValue(value, level);
  return values;
}

function ofValue(value: ValueNode, level: number): number {
  checkLevel(level);
  let values = 1;
  if (value.kind === Kind.LIST) for (const item of value.values) values += ofValue(item, level + 1);
  if (value.kind === Kind.OBJECT)
    for (const member of value.fields) values += ofValue(member.value, level + 1);
  return values;
}

function spread(size: Size): Size {
  return { ...size, spreads: 1 };
}

/** Validation says so as well, but only after rules that would have to follow the circle. */
function spreadsItself(fragment: FragmentDefinitionNode): GraphQLError {
  return new GraphQLError(`Cannot spread fragment "${fragment.name.value}" within itself.`, {
    nodes: fragment.name,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
}
