import {
  type DocumentNode,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  getOperationAST,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  print,
  type SelectionSetNode,
} from 'graphql';
import type { ConcreteRequest } from 'relay-runtime';
import { schema } from '../../src/index.ts';

type Selection = ConcreteRequest['fragment']['selections'][number] &
  ConcreteRequest['operation']['selections'][number];

/** Adds fields as Relay's compiler does to a document without variables and fragments. */
export function relayRequest(document: DocumentNode): ConcreteRequest {
  const definition = getOperationAST(document) ?? undefined;
  const root = definition && schema.getRootType(definition.operation);
  if (!root) throw new Error('The document has no operation');
  const { operation: operationKind, name: { value: name } = { value: 'Anonymous' } } = definition;
  const text = print(document);
  const common = { name, argumentDefinitions: [], selections: selectionsOf(definition.selectionSet, root) };
  return {
    kind: 'Request',
    fragment: { ...common, kind: 'Fragment', type: root.name, metadata: null },
    operation: { ...common, kind: 'Operation' },
    params: { id: null, cacheID: text, metadata: {}, name, operationKind, text },
  };
}

function selectionsOf({ selections }: SelectionSetNode, parent: GraphQLNamedType): Selection[] {
  return selections.map((selection): Selection => {
    if (selection.kind !== Kind.FIELD) throw new Error('Fragments are not compiled here');
    const name = selection.name.value;
    const field = { name, alias: null, args: null, storageKey: null };
    const type = 'getFields' in parent ? parent.getFields()[name]?.type : undefined;
    const named = getNamedType(type);
    if (!selection.selectionSet || !type || !named || isLeafType(named))
      return { ...field, kind: 'ScalarField' };
    return {
      ...field,
      kind: 'LinkedField',
      // Null if `__typename` says it.
      concreteType: isObjectType(named) ? named.name : null,
      plural: isListType(getNullableType(type)),
      selections: selectionsOf(selection.selectionSet, named),
    };
  });
}
