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
  isSpecifiedScalarType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { isObject } from '../rest/json.ts';

export interface Variables {
  readonly [name: string]: unknown;
}

/** One mistake more would not help, and errors take longer to make than values to read. */
const MAX_ERRORS = 5;
/** Names are the caller's text, and may be as long as a request. */
const MAX_NAME_LENGTH = 80;

const NO_VARIABLES: Variables = Object.freeze({});

/**
 * Variables as GraphQL's rules have them; throws an AggregateError where they do not fit. Not by graphql-js, whose
 * errors quote the values: those may be secrets, and printing a large one five times took a second.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Variables,
): Variables {
  if (variableDefinitions.length === 0) return NO_VARIABLES;
  const errors: GraphQLError[] = [];
  const coerced: Record<string, unknown> = {};
  for (const node of variableDefinitions) {
    const name = node.variable.name.value;
    const type = typeFromAST(schema, node.type);
    if (!isInputType(type))
      throw new GraphQLError(`Variable "$${name}" is of no input type.`, { nodes: node });
    if (Object.hasOwn(given, name)) {
      coerced[name] = new Coercion(node, errors).value(given[name], type, name);
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

/** Of the value of one variable. What is wrong is noted, and read no further. */
class Coercion {
  readonly #node: VariableDefinitionNode;
  readonly #errors: GraphQLError[];

  constructor(node: VariableDefinitionNode, errors: GraphQLError[]) {
    this.#node = node;
    this.#errors = errors;
  }

  /** `path` says where the value stands. */
  value(given: unknown, type: GraphQLInputType, path: string): unknown {
    if (isNonNullType(type)) {
      if (given === null || given === undefined)
        return this.#fail(path, `Expected a value of type "${type}".`);
      return this.value(given, type.ofType, path);
    }
    if (given === null || given === undefined) return null;
    if (isListType(type)) return this.#list(given, type.ofType, path);
    if (isInputObjectType(type)) return this.#object(given, type, path);
    return this.#leaf(given, type, path);
  }

  /** A value that is no list stands for a list of one. */
  #list(given: unknown, itemType: GraphQLInputType, path: string): unknown[] {
    if (!Array.isArray(given)) return [this.value(given, itemType, path)];
    const items: unknown[] = [];
    for (const [index, item] of given.entries()) {
      if (this.#isOver) break;
      items.push(this.value(item, itemType, `${path}[${index}]`));
    }
    return items;
  }

  #object(given: unknown, type: GraphQLInputObjectType, path: string): unknown {
    if (!isObject(given)) return this.#fail(path, `Expected an object of type "${type}".`);
    const coerced: Record<string, unknown> = {};
    const fields = type.getFields();
    for (const field of Object.values(fields)) {
      const { name, defaultValue } = field;
      if (given[name] !== undefined) {
        coerced[name] = this.value(given[name], field.type, `${path}.${name}`);
      } else if (defaultValue !== undefined) {
        coerced[name] = defaultValue;
      } else if (isNonNullType(field.type)) {
        this.#fail(path, `Field "${name}" of required type "${field.type}" was not provided.`);
      }
    }
    for (const name in given) {
      if (this.#isOver) break;
      if (!Object.hasOwn(fields, name))
        this.#fail(path, `Field "${short(name)}" is not defined by type "${type}".`);
    }
    if (type.isOneOf) this.#requireOne(coerced, type, path);
    return coerced;
  }

  #requireOne(coerced: Variables, type: GraphQLInputObjectType, path: string): void {
    const [only, ...others] = Object.keys(coerced);
    if (only === undefined || others.length > 0)
      this.#fail(path, `Exactly one field of type "${type}" takes a value.`);
    else if (coerced[only] === null) this.#fail(`${path}.${only}`, 'Expected a value, not null.');
  }

  #leaf(given: unknown, type: GraphQLLeafType, path: string): unknown {
    if (isEnumType(type)) {
      const value = typeof given === 'string' ? type.getValue(given) : undefined;
      return value ? value.value : this.#fail(path, `Expected a value of the enum "${type}".`);
    }
    const takes = isSpecifiedScalarType(type) ? JSON_TYPES[type.name] : undefined;
    // GraphQL's own scalars print the value in their errors, however large it is.
    if (takes?.includes(typeof given) === false)
      return this.#fail(path, `Expected a value of type "${type}".`);
    try {
      return type.parseValue(given);
    } catch (error) {
      const isOwn = error instanceof GraphQLError && takes === undefined;
      return this.#fail(path, isOwn ? error.message : `Expected a value of type "${type}".`);
    }
  }

  get #isOver(): boolean {
    return this.#errors.length >= MAX_ERRORS;
  }

  #fail(path: string, reason: string): undefined {
    if (this.#isOver) return;
    const message = `Variable "$${this.#node.variable.name.value}" got an invalid value at "${short(path)}": ${reason}`;
    this.#errors.push(new GraphQLError(message, { nodes: this.#node }));
  }
}

/** What GraphQL's scalars take, by `typeof`. */
const JSON_TYPES: { readonly [scalar: string]: readonly string[] } = {
  Int: ['number'],
  Float: ['number'],
  String: ['string'],
  Boolean: ['boolean'],
  ID: ['string', 'number'],
};

function short(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
