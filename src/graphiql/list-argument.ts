import { BREAK, type FieldNode, Kind, parse, print, valueFromASTUntyped, visit } from 'graphql';
import { addNode, getArguments, replaceNode } from './query-edits.ts';

/** A GraphQL request: the members of its JSON body. */
export interface OperationRequest {
  readonly query: string;
  readonly variables?: Record<string, unknown> | undefined;
  readonly operationName?: string | null | undefined;
}

function getSubfields(set: FieldNode['selectionSet'], names: readonly string[]) {
  return (set?.selections ?? []).filter(
    (selection) => selection.kind === Kind.FIELD && names.includes(selection.name.value),
  );
}

/** Returns the first list of records or groups that an operation selects. */
export function findList({ query, operationName }: OperationRequest): FieldNode | undefined {
  let list: FieldNode | undefined;
  visit(parse(query), {
    OperationDefinition: ({ name }) => (operationName && name?.value !== operationName ? false : undefined),
    Field(field) {
      const records = getSubfields(field.selectionSet, ['nodes', 'edges']);
      if (records.length === 0 && field.name.value !== 'groups') return undefined;
      list = field;
      return BREAK;
    },
  });
  return list;
}

function findArgument(list: FieldNode | undefined, name: string) {
  return list?.arguments?.find((argument) => argument.name.value === name)?.value;
}

/** Returns the value of an argument of the list, also if a variable holds it. */
export function getListArgument(operation: OperationRequest, name: string): unknown {
  const value = findArgument(findList(operation), name);
  return value && valueFromASTUntyped(value, operation.variables);
}

/** Returns the operation for a file of these rows, or of the whole list. A file has no place for totals of the list. */
export function buildCsvOperation(shown: OperationRequest, rows: number | null): OperationRequest {
  const document = visit(parse(shown.query), {
    SelectionSet(set) {
      if (getSubfields(set, ['nodes', 'edges', 'groups']).length === 0) return undefined;
      const totals = getSubfields(set, ['totals']);
      return { ...set, selections: set.selections.filter((each) => !totals.includes(each)) };
    },
  });
  const listed = withListArgument({ ...shown, query: print(document) }, 'first', rows);
  return rows === null ? withListArgument(listed, 'after', null) : listed;
}

/** Sets an argument of the list, or the variable that holds it. */
export function withListArgument<T extends OperationRequest>(
  operation: T,
  name: string,
  value: string | number | null,
): T {
  const list = findList(operation);
  const current = findArgument(list, name);
  if (current?.kind === Kind.VARIABLE)
    return { ...operation, variables: { ...operation.variables, [current.name.value]: value } };
  if (!list || (!current && value === null)) return operation;
  const text = JSON.stringify(value);
  const query = current
    ? replaceNode(operation.query, current, text)
    : addNode(operation.query, getArguments(list), `${name}: ${text}`);
  return { ...operation, query };
}
