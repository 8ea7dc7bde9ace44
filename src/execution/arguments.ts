import { type FieldNode, type GraphQLField, getArgumentValues, Kind, visit } from 'graphql';
import { isObject } from '../rest/json.ts';
import type { Variables } from './variables.ts';

/** Stands for the value of a variable. */
class Blank {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The arguments of a field as graphql-js reads them, once for all values of its variables. */
export class ArgumentTemplate {
  readonly #names = new Set<string>();
  readonly #values: unknown;

  constructor(field: GraphQLField<unknown, unknown>, node: FieldNode) {
    for (const argument of node.arguments ?? [])
      visit(argument, { [Kind.VARIABLE]: ({ name }) => void this.#names.add(name.value) });
    const blanks = Array.from(this.#names, (name) => [name, new Blank(name)]);
    this.#values = getArgumentValues(field, node, Object.fromEntries(blanks));
  }

  /** Undefined where a variable is missing or null, which may call for a default or be an error. */
  fill(variables: Variables): Variables | undefined {
    for (const name of this.#names) if ((variables[name] ?? null) === null) return undefined;
    return Object(fillIn(this.#values, variables));
  }
}

function fillIn(value: unknown, variables: Variables): unknown {
  if (value instanceof Blank) return variables[value.name];
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables));
  if (!isObject(value)) return value;
  const filled: Record<string, unknown> = {};
  for (const name in value) filled[name] = fillIn(value[name], variables);
  return filled;
}
