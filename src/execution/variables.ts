import {
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { isObject } from '../rest/json.ts';
import { weakMemoize } from '../weak-memoize.ts';

export interface Variables {
  readonly [name: string]: unknown;
}

/** More errors would not help the client, and creating an error takes longer than coercing a value. */
const MAX_ERRORS = 5;
/** Names come from the client, and may be as long as a request. */
const MAX_NAME_LENGTH = 80;

const NO_VARIABLES: Variables = Object.freeze({});

/**
 * Coerces variables as the GraphQL specification defines; throws an AggregateError if they are invalid. The errors of
 * graphql-js quote the values: those may be secrets, and printing a large one five times took a second.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  inputs: Variables,
): Variables {
  if (variableDefinitions.length === 0) return NO_VARIABLES;
  const errors: GraphQLError[] = [];
  const coerced: Record<string, unknown> = {};
  for (const node of variableDefinitions) {
    const name = node.variable.name.value;
    const type = typesOf(schema)(node);
    if (Object.hasOwn(inputs, name)) {
      coerced[name] = new Coercion(node, errors).coerce(inputs[name], type);
    } else if (node.defaultValue) {
      coerced[name] = valueFromAST(node.defaultValue, type);
    } else if (isNonNullType(type)) {
      const message = `Variable "$${name}" of required type "${type}" was not provided.`;
      errors.push(new GraphQLError(message, { nodes: node }));
    }
    if (errors.length >= MAX_ERRORS) break;
  }
  if (errors.length > 0) throw new AggregateError(errors);
  return coerced;
}

/** The types of variables: graphql-js would create the wrappers for lists and non-null anew. */
const typesOf = weakMemoize((schema: GraphQLSchema) =>
  weakMemoize((node: VariableDefinitionNode): GraphQLInputType => {
    const type = typeFromAST(schema, node.type);
    if (isInputType(type)) return type;
    throw new GraphQLError(`Variable "$${node.variable.name.value}" is of no input type.`, { nodes: node });
  }),
);

/** Coerces the value of one variable. Invalid parts are added to the errors and not read further. */
class Coercion {
  readonly #node: VariableDefinitionNode;
  readonly #errors: GraphQLError[];
  /** The path of the current value inside the variable. */
  readonly #path: (string | number)[] = [];

  constructor(node: VariableDefinitionNode, errors: GraphQLError[]) {
    this.#node = node;
    this.#errors = errors;
  }

  coerce(input: unknown, type: GraphQLInputType): unknown {
    if (isNonNullType(type)) {
      if (input === null || input === undefined)
        return this.#reportError(`Expected a value of type "${type}".`);
      return this.coerce(input, type.ofType);
    }
    if (input === null || input === undefined) return null;
    if (isListType(type)) return this.#coerceList(input, type.ofType);
    if (isInputObjectType(type)) return this.#coerceObject(input, type);
    return this.#coerceLeaf(input, type);
  }

  /** A value that is not a list is coerced to a list of one item. */
  #coerceList(input: unknown, itemType: GraphQLInputType): unknown[] {
    if (!Array.isArray(input)) return [this.coerce(input, itemType)];
    const items: unknown[] = [];
    for (const [index, item] of input.entries()) {
      if (this.#hasMaxErrors) break;
      items.push(this.#coerceAt(index, item, itemType));
    }
    return items;
  }

  #coerceObject(input: unknown, type: GraphQLInputObjectType): unknown {
    if (!isObject(input)) return this.#reportError(`Expected an object of type "${type}".`);
    const coerced: Record<string, unknown> = {};
    const fields = type.getFields();
    for (const field of Object.values(fields)) {
      const { name, defaultValue } = field;
      if (input[name] !== undefined) {
        coerced[name] = this.#coerceAt(name, input[name], field.type);
      } else if (defaultValue !== undefined) {
        coerced[name] = defaultValue;
      } else if (isNonNullType(field.type)) {
        this.#reportError(`Field "${name}" of required type "${field.type}" was not provided.`);
      }
    }
    for (const name in input) {
      if (this.#hasMaxErrors) break;
      if (!Object.hasOwn(fields, name))
        this.#reportError(`Field "${truncate(name)}" is not defined by type "${type}".`);
    }
    if (type.isOneOf) this.#checkOneOf(coerced, type);
    return coerced;
  }

  #checkOneOf(coerced: Variables, type: GraphQLInputObjectType): void {
    const [only, ...others] = Object.keys(coerced);
    if (only === undefined || others.length > 0)
      this.#reportError(`Exactly one field of type "${type}" takes a value.`);
    else if (coerced[only] === null) this.#reportError(`Field "${only}" takes a value that is not null.`);
  }

  #coerceLeaf(input: unknown, type: GraphQLLeafType): unknown {
    if (isEnumType(type)) {
      const value = typeof input === 'string' ? type.getValue(input) : undefined;
      return value ? value.value : this.#reportError(`Expected a value of the enum "${type}".`);
    }
    const acceptedTypes = JSON_TYPES.get(type.name);
    // The built-in scalars print the value in their errors, however large it is.
    if (acceptedTypes?.includes(typeof input) === false)
      return this.#reportError(`Expected a value of type "${type}".`);
    try {
      return type.parseValue(input);
    } catch (error) {
      const isCustomScalarError = error instanceof GraphQLError && acceptedTypes === undefined;
      return this.#reportError(isCustomScalarError ? error.message : `Expected a value of type "${type}".`);
    }
  }

  #coerceAt(key: string | number, input: unknown, type: GraphQLInputType): unknown {
    this.#path.push(key);
    const value = this.coerce(input, type);
    this.#path.pop();
    return value;
  }

  get #hasMaxErrors(): boolean {
    return this.#errors.length >= MAX_ERRORS;
  }

  #reportError(reason: string): undefined {
    if (this.#hasMaxErrors) return;
    const name = this.#node.variable.name.value;
    const path = this.#path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
    const message = `Variable "$${name}" got an invalid value at "${truncate(name + path)}": ${reason}`;
    this.#errors.push(new GraphQLError(message, { nodes: this.#node }));
  }
}

/** The `typeof` of values that the built-in scalars accept. */
const JSON_TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Int', ['number']],
  ['Float', ['number']],
  ['String', ['string']],
  ['Boolean', ['boolean']],
  ['ID', ['string', 'number']],
]);

function truncate(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
