import { type FieldNode, type GraphQLField, getArgumentValues, Kind, visit } from 'graphql';
import { isObject } from '../rest/json.ts';
import type { Variables } from './variables.ts';

/** The place of a variable in arguments that are read once for all its values. */
class Blank {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Reads the arguments of a field as graphql-js does, but its document only once. Throws if they are invalid. */
export function argumentReader(field: GraphQLField<unknown, unknown>, node: FieldNode) {
  const blanks: Record<string, Blank> = {};
  const enter = ({ name: { value: name } }: { readonly name: { readonly value: string } }) => {
    blanks[name] = new Blank(name);
  };
  for (const argument of node.arguments ?? []) visit(argument, { [Kind.VARIABLE]: enter });
  const template = getArgumentValues(field, node, blanks);
  return (variables: Variables): Variables => {
    // One that is missing or null may call for a default, or be an error.
    for (const name in blanks)
      if (!Object.hasOwn(variables, name) || variables[name] === null)
        return getArgumentValues(field, node, variables);
    return Object(fillIn(template, variables));
  };
}

function fillIn(value: unknown, variables: Variables): unknown {
  if (value instanceof Blank) return variables[value.name];
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables));
  if (!isObject(value)) return value;
  const filled: Record<string, unknown> = {};
  for (const name in value) filled[name] = fillIn(value[name], variables);
  return filled;
}
