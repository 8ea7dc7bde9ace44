import { BREAK, type FieldNode, Kind, parse, valueFromASTUntyped, visit } from 'graphql';

export interface OperationRequest {
  readonly query: string;
  readonly variables?: Record<string, unknown> | undefined;
  readonly operationName?: string | null | undefined;
}

function getSubfields(set: FieldNode['selectionSet'], names: readonly string[]) {
  return (set?.selections ?? []).filter((one) => one.kind === Kind.FIELD && names.includes(one.name.value));
}

/** The first list of records, or of groups, that an operation selects. */
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

function getArgument(list: FieldNode | undefined, name: string) {
  return list?.arguments?.find((argument) => argument.name.value === name)?.value;
}

/** What an operation asks for groups by, and how many at most; undefined where it asks for none. */
export function getGroupArguments(operation: OperationRequest) {
  const list = findList(operation);
  if (list?.name.value !== 'groups') return undefined;
  // The gateway returns 100 groups unless `first` says otherwise.
  const [by, first = 100] = ['by', 'first'].map((name) => {
    const value = getArgument(list, name);
    return value && valueFromASTUntyped(value, operation.variables);
  });
  return { by: String(by), first };
}

/** What gives as many rows of an answer as a file, or its whole list. A file has no place for totals beside its rows. */
export function csvOperation(answered: OperationRequest, rows: number | null): OperationRequest {
  let { query } = answered;
  visit(parse(query), {
    SelectionSet(set) {
      if (getSubfields(set, ['nodes', 'edges', 'groups']).length === 0) return;
      // Spaces in its place keep all others where they are.
      for (const { loc } of getSubfields(set, ['totals']))
        if (loc) query = query.slice(0, loc.start) + ' '.repeat(loc.end - loc.start) + query.slice(loc.end);
    },
  });
  const listed = withListArgument({ ...answered, query }, 'first', rows);
  return rows === null ? withListArgument(listed, 'after', null) : listed;
}

type Value = string | number | null;

/** The operation with another value of an argument of its list, in the variable that it is given by, if it is. */
export function withListArgument<T extends OperationRequest>(operation: T, name: string, value: Value): T {
  const list = findList(operation);
  const given = getArgument(list, name);
  if (given?.kind === Kind.VARIABLE)
    return { ...operation, variables: { ...operation.variables, [given.name.value]: value } };
  if (!list || (!given && value === null)) return operation;
  const text = JSON.stringify(value);
  const written = (start = 0, end = start, inserted = text) => ({
    ...operation,
    query: operation.query.slice(0, start) + inserted + operation.query.slice(end),
  });
  if (given) return written(given.loc?.start, given.loc?.end);
  const first = list.arguments?.[0]?.loc?.start;
  if (first !== undefined) return written(first, first, `${name}: ${text}, `);
  return written(list.name.loc?.end, list.name.loc?.end, `(${name}: ${text})`);
}
