import { BREAK, type FieldNode, Kind, parse, valueFromASTUntyped, visit } from 'graphql';

interface Operation {
  readonly query: string;
  readonly variables?: Record<string, unknown> | undefined;
  readonly operationName?: string | undefined;
}

/** The first list of records, or of groups, that an operation selects. */
function listIn({ query, operationName }: Operation): FieldNode | undefined {
  let list: FieldNode | undefined;
  const operation = parse(query).definitions.find(
    (one) => one.kind === Kind.OPERATION_DEFINITION && [undefined, one.name?.value].includes(operationName),
  );
  if (!operation) return undefined;
  visit(operation, {
    Field(field) {
      const selected = field.selectionSet?.selections ?? [];
      const hasRecords = selected.some(
        (one) => one.kind === Kind.FIELD && ['nodes', 'edges'].includes(one.name.value),
      );
      if (!hasRecords && field.name.value !== 'groups') return undefined;
      list = field;
      return BREAK;
    },
  });
  return list;
}

/** The value of an argument of the list; undefined where it has none. */
export function listArgument(operation: Operation, name: string): unknown {
  const value = listIn(operation)?.arguments?.find((argument) => argument.name.value === name)?.value;
  return value && valueFromASTUntyped(value, operation.variables);
}

/** The operation with another value of an argument of its list, in the variable that it is given by, if it is. */
export function withListArgument<T extends Operation>(operation: T, name: string, value: string | null): T {
  const list = listIn(operation);
  const [first] = list?.arguments ?? [];
  const given = list?.arguments?.find((argument) => argument.name.value === name)?.value;
  if (given?.kind === Kind.VARIABLE)
    return { ...operation, variables: { ...operation.variables, [given.name.value]: value } };
  if (!list || (!given && value === null)) return operation;
  const text = JSON.stringify(value);
  const written = (start = 0, end = start, inserted = text) =>
    operation.query.slice(0, start) + inserted + operation.query.slice(end);
  if (given) return { ...operation, query: written(given.loc?.start, given.loc?.end) };
  const query = first
    ? written(first.loc?.start, first.loc?.start, `${name}: ${text}, `)
    : written(list.name.loc?.end, list.name.loc?.end, `(${name}: ${text})`);
  return { ...operation, query };
}
