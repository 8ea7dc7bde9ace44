import {
  type DocumentNode,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  getOperationAST,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  print,
  type SelectionSetNode,
} from 'graphql';
import type { ConcreteRequest } from 'relay-runtime';
import { schema } from '../../src/index.ts';

/** A field as Relay has it, both to write an answer to its store and to read it there. */
type Selection = {
  readonly name: string;
  readonly alias: null;
  readonly args: null;
  readonly storageKey: null;
} & (
  | { readonly kind: 'ScalarField' }
  | {
      readonly kind: 'LinkedField';
      /** Null if `__typename` tells it. */
      readonly concreteType: string | null;
      readonly plural: boolean;
      readonly selections: readonly Selection[];
    }
);

/** What Relay's compiler would make of a document without variables and fragments. */
export function relayRequest(document: DocumentNode): ConcreteRequest {
  const definition = getOperationAST(document);
  const root = definition && schema.getRootType(definition.operation);
  if (!definition || !root) throw new Error('The document has no operation');
  const name = definition.name?.value ?? 'Anonymous';
  const selections = selectionsOf(definition.selectionSet, root);
  return {
    kind: 'Request',
    fragment: {
      kind: 'Fragment',
      name,
      type: root.name,
      argumentDefinitions: [],
      metadata: null,
      selections,
    },
    operation: { kind: 'Operation', name, argumentDefinitions: [], selections },
    params: {
      id: null,
      cacheID: print(document),
      metadata: {},
      name,
      operationKind: definition.operation,
      text: print(document),
    },
  };
}

function selectionsOf(
  { selections }: SelectionSetNode,
  parent: GraphQLObjectType | GraphQLInterfaceType,
): Selection[] {
  return selections.map((selection): Selection => {
    if (selection.kind !== Kind.FIELD) throw new Error('Fragments are not compiled here');
    const name = selection.name.value;
    const field = { name, alias: null, args: null, storageKey: null };
    const type = parent.getFields()[name]?.type;
    const named = type && getNamedType(type);
    if (!selection.selectionSet || !(isObjectType(named) || isInterfaceType(named)))
      return { ...field, kind: 'ScalarField' };
    return {
      ...field,
      kind: 'LinkedField',
      concreteType: isObjectType(named) ? named.name : null,
      plural: isListType(getNullableType(type)),
      selections: selectionsOf(selection.selectionSet, named),
    };
  });
}
