import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { fieldNodesIn, type Operation } from './selection.ts';
import { type Estimate, type Read, type Scope, traitsOf } from './traits.ts';

/** How many ids of usual length fit into one URL. */
export const KEYS_PER_CALL = 100;

/** How many REST calls an operation will lead to at most, as far as can be told before it runs. */
export function estimateCalls(operation: Operation, definition: OperationDefinitionNode): number {
  const plan = new Map<
    string | symbol,
    { rows: number; keys: Set<string>; perCall: number; times: number }
  >();

  function visit(type: GraphQLObjectType, set: SelectionSetNode, scope: Scope): void {
    for (const node of fieldNodesIn(operation, type, set)) {
      const field = type.getFields()[node.name.value];
      if (field) visitField(field, node, scope);
    }
  }

  function visitField(field: GraphQLField<unknown, unknown>, node: FieldNode, outside: Scope): void {
    const estimate = traitsOf(field).cost?.(argumentsOf(operation, field, node), outside);
    for (const read of estimate?.reads ?? []) add(read, outside.administrations);
    if (!node.selectionSet) return;
    const inside = { ...outside, ...estimate?.scope };
    for (const type of possibleTypes(operation, field)) visit(type, node.selectionSet, inside);
  }

  function add({ call, rows, perCall }: Read, times: number): void {
    const key = call ?? Symbol();
    const planned = plan.get(key) ?? { rows: 0, keys: new Set(), perCall, times };
    plan.set(key, planned);
    if (typeof rows === 'number') planned.rows = Math.max(planned.rows, rows);
    else for (const value of rows) planned.keys.add(value);
  }

  const root = operation.schema.getRootType(definition.operation);
  if (root) visit(root, definition.selectionSet, { origin: '', rows: 1, administrations: 1 });

  let calls = 0;
  for (const { rows, keys, perCall, times } of plan.values()) {
    calls += times * Math.ceil(Math.max(rows, keys.size) / perCall);
  }
  return calls;
}

/** Bad arguments are refused when the field runs; until then they cost nothing. */
function argumentsOf(operation: Operation, field: GraphQLField<unknown, unknown>, node: FieldNode) {
  try {
    return getArgumentValues(field, node, operation.variableValues);
  } catch {
    return {};
  }
}

function possibleTypes({ schema }: Operation, field: GraphQLField<unknown, unknown>) {
  const type = getNamedType(field.type);
  if (isAbstractType(type)) return schema.getPossibleTypes(type);
  return isObjectType(type) ? [type] : [];
}

/** One lookup for the records that all rows outside point to. */
export function joinCost(type: string) {
  return (_args: unknown, { origin, rows, administration }: Scope): Estimate => {
    const call = `${type} by id in ${administration}, after ${origin}`;
    return { reads: [{ call, rows, perCall: KEYS_PER_CALL }], scope: { origin: call } };
  };
}

/** A write, or another call that is never shared. */
export function oneCall(): Estimate {
  return { reads: [{ rows: 1, perCall: 1 }] };
}
