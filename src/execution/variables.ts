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
      coerced[name] = new Coercion(node, errors).value(given[name], type);
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
  /** Where the value stands that is being read, below the variable. */
  readonly #path: (string | number)[] = [];

  constructor(node: VariableDefinitionNode, errors: GraphQLError[]) {
    this.#node = node;
    this.#errors = errors;
  }

  value(given: unknown, type: GraphQLInputType): unknown {
    if (isNonNullType(type)) {
      if (given === null || given === undefined) return this.#fail(`Expected a value of type "${type}".`);
      return this.value(given, type.ofType);
    }
    if (given === null || given === undefined) return null;
    if (isListType(type)) return this.#list(given, type.ofType);
    if (isInputObjectType(type)) return this.#object(given, type);
    return this.#leaf(given, type);
  }

  /** A value that is no list stands for a list of one. */
  #list(given: unknown, itemType: GraphQLInputType): unknown[] {
    if (!Array.isArray(given)) return [this.value(given, itemType)];
    const items: unknown[] = [];
    for (const [index, item] of given.entries()) {
      if (this.#isOver) break;
      items.push(this.#below(index, item, itemType));
    }
    return items;
  }

  #object(given: unknown, type: GraphQLInputObjectType): unknown {
    if (!isObject(given)) return this.#fail(`Expected an object of type "${type}".`);
    const coerced: Record<string, unknown> = {};
    const fields = type.getFields();
    for (const field of Object.values(fields)) {
      const { name, defaultValue } = field;
      if (given[name] !== undefined) {
        coerced[name] = this.#below(name, given[name], field.type);
      } else if (defaultValue !== undefined) {
        coerced[name] = defaultValue;
      } else if (isNonNullType(field.type)) {
        this.#fail(`Field "${name}" of required type "${field.type}" was not provided.`);
      }
    }
    for (const name in given) {
      if (this.#isOver) break;
      if (!Object.hasOwn(fields, name))
        this.#fail(`Field "${short(name)}" is not defined by type "${type}".`);
    }
    if (type.isOneOf) this.#requireOne(coerced, type);
    return coerced;
  }

  #requireOne(coerced: Variables, type: GraphQLInputObjectType): void {
    const [only, ...others] = Object.keys(coerced);
    if (only === undefined || others.length > 0)
      this.#fail(`Exactly one field of type "${type}" takes a value.`);
    else if (coerced[only] === null) this.#fail(`Field "${only}" takes a value that is not null.`);
  }

  #leaf(given: unknown, type: GraphQLLeafType): unknown {
    if (isEnumType(type)) {
      const value = typeof given === 'string' ? type.getValue(given) : undefined;
      return value ? value.value : this.#fail(`Expected a value of the enum "${type}".`);
    }
    const takes = isSpecifiedScalarType(type) ? JSON_TYPES[type.name] : undefined;
    // GraphQL's own scalars print the value in their errors, however large it is.
    if (takes?.includes(typeof given) === false) return this.#fail(`Expected a value of type "${type}".`);
    try {
      return type.parseValue(given);
    } catch (error) {
      const isOwn = error instanceof GraphQLError && takes === undefined;
      return this.#fail(isOwn ? error.message : `Expected a value of type "${type}".`);
    }
  }

  #below(key: string | number, given: unknown, type: GraphQLInputType): unknown {
    this.#path.push(key);
    const value = this.value(given, type);
    this.#path.pop();
    return value;
  }

  get #isOver(): boolean {
    return this.#errors.length >= MAX_ERRORS;
  }

  #fail(reason: string): undefined {
    if (this.#isOver) return;
    const name = this.#node.variable.name.value;
    const path = this.#path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
    const message = `Variable "$${name}" got an invalid value at "${short(name + path)}": ${reason}`;
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
