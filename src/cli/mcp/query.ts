import {
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  NoSchemaIntrospectionCustomRule,
  print,
  separateOperations,
  specifiedRules,
  TypeInfo,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { getOperation } from '../../execution/operation.ts';
import { coerceVariables, type Variables } from '../../execution/variables.ts';
import { toVariableValues } from '../../graphql-version.ts';
import { parseWithLimits, validateWithLimits } from '../../request/documents.ts';

export const MAX_RECORDS = 50;
const FIRST = { kind: Kind.NAME, value: 'first' } as const;
const ROWS = { kind: Kind.INT, value: `${MAX_RECORDS}` } as const;

/** Returns a query as it is sent: with at most MAX_RECORDS records in each list. Throws a GraphQLError or an AggregateError. */
export function prepareQuery(schema: GraphQLSchema, text: string, variables: Variables, name?: string) {
  const document = parseWithLimits(text);
  for (const node of document.definitions)
    if (node.kind === Kind.OPERATION_DEFINITION && node.operation !== 'query')
      throw new GraphQLError(`Only queries are run here. Remove the ${node.operation}.`, { nodes: node });
  const errors = validateWithLimits(schema, document, [...specifiedRules, NoSchemaIntrospectionCustomRule]);
  if (errors.length > 0) throw new AggregateError(errors);
  const operationName = getOperation(document, name).name?.value;
  const selected = separateOperations(document)[operationName ?? ''] ?? document;
  const values = toVariableValues(coerceVariables(schema, getOperation(selected), variables));
  // A list is cut before it is sent, so that `endCursor` belongs to the last row that is shown.
  const types = new TypeInfo(schema);
  const used = new Set<string>();
  const capped = visit(
    selected,
    visitWithTypeInfo(types, {
      VariableDefinition: () => false,
      Variable: (node) => void used.add(node.name.value),
      Field(node) {
        const field = types.getFieldDef();
        if (!field?.args.some((argument) => argument.name === 'first')) return undefined;
        const { first } = getArgumentValues(field, node, values);
        if (typeof first === 'number' && first <= MAX_RECORDS) return undefined;
        const otherArguments = node.arguments?.filter(({ name }) => name.value !== 'first') ?? [];
        return { ...node, arguments: [...otherArguments, { kind: Kind.ARGUMENT, name: FIRST, value: ROWS }] };
      },
    }),
  );
  // A variable that is no longer used would be an error.
  const isUsed = ({ variable }: VariableDefinitionNode) => used.has(variable.name.value);
  const sent = visit(capped, { VariableDefinition: (node) => (isUsed(node) ? false : null) });
  return { query: print(sent), variables, operationName };
}
