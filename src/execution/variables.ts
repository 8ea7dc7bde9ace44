import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isInputObjectType,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
  visit,
} from 'graphql';
import { coerceInput, toVariableValues } from '../graphql-version.ts';
import { getNestedType, wrongValue } from '../hints.ts';
import { weakMemoizePair } from '../memoize.ts';
import { isObject } from '../rest/json.ts';

export interface Variables {
  readonly [name: string]: unknown;
}

/** More errors would not help the client, and each takes longer than coercing a value. */
const MAX_ERRORS = 5;
/** Coercion looks up every field of the type in each input object: this many take up to 80 ms. */
const MAX_INPUT_OBJECTS = 2_500;
const TOO_MANY = 'The variables hold too many input objects. Send them in several operations.';
export const NO_VALUES: Variables = Object.freeze({});

/** Throws an AggregateError if values are invalid. `getVariableValues` would quote values, which may be secrets. */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  inputs: Variables,
): Variables {
  if (variableDefinitions.length === 0) return NO_VALUES;
  const errors: GraphQLError[] = [];
  const report = (nodes: VariableDefinitionNode, message: string) => {
    errors.push(new GraphQLError(message, { nodes }));
    if (errors.length >= MAX_ERRORS) throw new AggregateError(errors);
  };
  const coerced: Record<string, unknown> = {};
  let objects = 0;
  for (const node of variableDefinitions) {
    const name = node.variable.name.value;
    const type = getVariableType(schema, node);
    if (Object.hasOwn(inputs, name)) {
      const input = inputs[name];
      if (typeof input === 'object' && isInputObjectType(getNamedType(type))) objects += countObjects(input);
      if (objects > MAX_INPUT_OBJECTS)
        throw new AggregateError([new GraphQLError(TOO_MANY, { nodes: node })]);
      coerced[name] = coerceInput(input, type, (path, value, { message }) => {
        const keys = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
        const field = path.findLast((key) => typeof key === 'string') ?? `$${name}`;
        const reason = wrongValue(getNestedType(type, path), value, message, field, 'Expected');
        report(node, `Variable "$${name}" got an invalid value at "${name}${keys.join('')}": ${reason}`);
      });
    } else if (node.defaultValue) {
      coerced[name] = valueFromAST(node.defaultValue, type);
    } else if (isNonNullType(type)) {
      report(node, `Variable "$${name}" of required type "${type}" was not provided.`);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors);
  return coerced;
}

function countObjects(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countObjects(item), 0);
  return isObject(value) ? 1 + countObjects(Object.values(value)) : 0;
}

/** Memoized: graphql-js would create new list and non-null types for each request. */
const getVariableType = weakMemoizePair(
  (schema: GraphQLSchema, node: VariableDefinitionNode): GraphQLInputType => {
    const type = typeFromAST(schema, node.type);
    if (isInputType(type)) return type;
    throw new GraphQLError(`Variable "$${node.variable.name.value}" is of no input type.`, { nodes: node });
  },
);

/** Stands for a variable in arguments that are read once for all values of the variable. */
class VariablePlaceholder {
  constructor(readonly name: string) {}
}

/** Reads arguments like graphql-js, but reads the document only once. Throws if they are invalid. */
export function createArgumentReader(field: GraphQLField<unknown, unknown>, node: FieldNode) {
  const placeholders: Record<string, VariablePlaceholder> = {};
  const enter = ({ name: { value: name } }: { readonly name: { readonly value: string } }) => {
    placeholders[name] = new VariablePlaceholder(name);
  };
  for (const argument of node.arguments ?? []) visit(argument, { [Kind.VARIABLE]: enter });
  const template = getArgumentValues(field, node, toVariableValues(placeholders));
  return (variables: Variables): Variables => {
    // A variable that is missing or null may need a default, or be an error.
    for (const name in placeholders)
      if (!Object.hasOwn(variables, name) || variables[name] === null)
        return getArgumentValues(field, node, toVariableValues(variables));
    return Object(substitute(template, variables));
  };
}

function substitute(value: unknown, variables: Variables): unknown {
  if (value instanceof VariablePlaceholder) return variables[value.name];
  if (Array.isArray(value)) return value.map((item) => substitute(item, variables));
  if (!isObject(value)) return value;
  const filled: Record<string, unknown> = {};
  for (const name in value) filled[name] = substitute(value[name], variables);
  return filled;
}
