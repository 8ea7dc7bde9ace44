import { BREAK, type FieldNode, Kind, parse, valueFromASTUntyped, visit } from 'graphql';

/** How many rows a list has, and how many groups, unless `first` says so. */
export const FIRST_IF_ABSENT = 100;

export interface WrittenOperation {
  readonly query: string;
  readonly variables?: Record<string, unknown> | undefined;
  readonly operationName?: string | null | undefined;
}

function definitionIn({ query, operationName }: WrittenOperation) {
  return parse(query)
    .definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
    .find(({ name }) => !operationName || name?.value === operationName);
}

function fieldsIn(set: FieldNode['selectionSet'], names: readonly string[]) {
  return (set?.selections ?? []).filter((one) => one.kind === Kind.FIELD && names.includes(one.name.value));
}

/** The first list of records, or of groups, that an operation selects. */
function listIn(written: WrittenOperation): FieldNode | undefined {
  let list: FieldNode | undefined;
  const operation = definitionIn(written);
  if (!operation) return undefined;
  visit(operation, {
    Field(field) {
      const records = fieldsIn(field.selectionSet, ['nodes', 'edges']);
      if (records.length === 0 && field.name.value !== 'groups') return undefined;
      list = field;
      return BREAK;
    },
  });
  return list;
}

/** The value of an argument of the list; undefined where it has none. */
export function listArgument(operation: WrittenOperation, name: string): unknown {
  const value = listIn(operation)?.arguments?.find((argument) => argument.name.value === name)?.value;
  const given = value && valueFromASTUntyped(value, operation.variables);
  if (given !== undefined || value?.kind !== Kind.VARIABLE) return given;
  const declared = definitionIn(operation)?.variableDefinitions?.find(
    ({ variable }) => variable.name.value === value.name.value,
  );
  return declared?.defaultValue && valueFromASTUntyped(declared.defaultValue);
}

/** How many groups an operation asks for, at most; undefined where it asks for none. */
export function mostGroups(operation: WrittenOperation): unknown {
  if (listIn(operation)?.name.value !== 'groups') return undefined;
  return listArgument(operation, 'first') ?? FIRST_IF_ABSENT;
}

/** The operation without the totals beside its rows: a file has no place for them. */
export function withoutTotals<T extends WrittenOperation>(operation: T): T {
  let { query } = operation;
  visit(parse(query), {
    SelectionSet(set) {
      if (fieldsIn(set, ['nodes', 'edges', 'groups']).length === 0) return;
      // Spaces in its place keep all others where they are.
      for (const { loc } of fieldsIn(set, ['totals']))
        if (loc) query = query.slice(0, loc.start) + ' '.repeat(loc.end - loc.start) + query.slice(loc.end);
    },
  });
  return { ...operation, query };
}

/** The operation with another value of an argument of its list, in the variable that it is given by, if it is. */
export function withListArgument<T extends WrittenOperation>(
  operation: T,
  name: string,
  value: string | number | null,
): T {
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
