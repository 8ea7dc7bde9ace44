import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { weakMemoize } from '../memoize.ts';
import { isObject } from '../rest/json.ts';
import { expectedValue, fieldAdvice, oneOfAdvice, truncate, withAdvice } from './input-words.ts';

export interface Variables {
  readonly [name: string]: unknown;
}

/** More errors would not help the client, and creating an error takes longer than coercing a value. */
const MAX_ERRORS = 5;
/** Names come from the client, and may be as long as a request. */
const MAX_PATH_LENGTH = 80;
const MAX_REASON_LENGTH = 300;
/** So many take some 50 ms. */
const MAX_FIELDS = 100_000;

type Path = readonly (string | number)[];

const NO_VARIABLES: Variables = Object.freeze({});

/** Throws an AggregateError if they are invalid. `getVariableValues` would quote values, which may be secrets. */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  inputs: Variables,
): Variables {
  if (variableDefinitions.length === 0) return NO_VARIABLES;
  const errors: GraphQLError[] = [];
  const report = (nodes: VariableDefinitionNode, message: string) => {
    errors.push(new GraphQLError(message, { nodes }));
    if (errors.length >= MAX_ERRORS) throw new AggregateError(errors);
  };
  const coerced: Record<string, unknown> = {};
  let fields = 0;
  for (const node of variableDefinitions) {
    const name = node.variable.name.value;
    const type = typesOf(schema)(node);
    if (Object.hasOwn(inputs, name)) {
      fields += fieldsToCoerce(inputs[name], type);
      if (fields > MAX_FIELDS) throw new AggregateError([tooMany(node)]);
      coerced[name] = coerceInputValue(inputs[name], type, (path, value, error) =>
        report(node, invalidValueMessage(name, path, reasonOf(namedTypeAt(type, path), path, value, error))),
      );
    } else if (node.defaultValue) {
      coerced[name] = valueFromAST(node.defaultValue, type);
    } else if (isNonNullType(type)) {
      report(node, `Variable "$${name}" of required type "${type}" was not provided.`);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors);
  return coerced;
}

/** Each field of the type is looked for in each input object, whether it is there or not. */
function fieldsToCoerce(value: unknown, type: GraphQLInputType): number {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + fieldsToCoerce(item, type), 0);
  if (!isObject(value)) return 0;
  const fields = named.getFields();
  let count = fieldCount(fields);
  for (const name in value) if (fields[name]) count += fieldsToCoerce(value[name], fields[name].type);
  return count;
}

const fieldCount = weakMemoize((fields: object) => Object.keys(fields).length);

function tooMany(nodes: VariableDefinitionNode): GraphQLError {
  const message = 'The variables hold too many input objects. Send them in several operations.';
  return new GraphQLError(message, { nodes, extensions: { code: 'BAD_USER_INPUT' } });
}

/** The types of variables: graphql-js would create the wrappers for lists and non-null anew. */
const typesOf = weakMemoize((schema: GraphQLSchema) =>
  weakMemoize((node: VariableDefinitionNode): GraphQLInputType => {
    const type = typeFromAST(schema, node.type);
    if (isInputType(type)) return type;
    throw new GraphQLError(`Variable "$${node.variable.name.value}" is of no input type.`, { nodes: node });
  }),
);

/** The innermost type of the value at a path inside a variable: a list is of the type of its items. */
function namedTypeAt(type: GraphQLInputType, path: Path): GraphQLNamedInputType {
  let named = getNamedType(type);
  for (const key of path) {
    const field = isInputObjectType(named) ? named.getFields()[key] : undefined;
    if (field) named = getNamedType(field.type);
  }
  return named;
}

/** What is wrong, without the value that the errors of scalars and enums quote. */
function reasonOf(
  type: GraphQLNamedInputType,
  path: Path,
  value: unknown,
  { message, originalError }: GraphQLError,
): string {
  if (value === null || value === undefined) return message;
  if (isInputObjectType(type) && isObject(value)) {
    const [, unknown] = /^Field "(\w{1,80})" is not defined by type /.exec(message) ?? [];
    if (unknown !== undefined) return withAdvice(message, fieldAdvice(type, unknown));
    return message.startsWith('Exactly one key ') ? withAdvice(message, oneOfAdvice(type)) : message;
  }
  const key = path.findLast((one) => typeof one === 'string');
  const expected = expectedValue(type, message, key?.toString(), value);
  if (expected !== undefined) return `Expected ${expected}`;
  // A scalar of a user says itself what it expects.
  return originalError === undefined ? message : `Expected a value of type "${type}".`;
}

function invalidValueMessage(name: string, path: Path, reason: string): string {
  const keys = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  const place = truncate(name + keys, MAX_PATH_LENGTH);
  return `Variable "$${name}" got an invalid value at "${place}": ${truncate(reason, MAX_REASON_LENGTH)}`;
}
