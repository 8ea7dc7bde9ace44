import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  getArgumentValues,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import type { Variables } from './variables.ts';

export type Arguments = { readonly [name: string]: unknown };

/** Returns undefined if there is no value, or one that is an error. */
type ReadArgument = (variables: Variables) => unknown;

/** As `getArgumentValues`, which is called where something is wrong, to say what. Constant ones are computed once. */
export function compileArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Variables) => Arguments {
  if (areConstant(node)) {
    let constant: Arguments | undefined;
    return () => {
      constant ??= getArgumentValues(field, node, {});
      return constant;
    };
  }
  const nodes = node.arguments ?? [];
  const readers = field.args.map((definition) => {
    const value = nodes.find(({ name }) => name.value === definition.name)?.value;
    const mayBeAbsent = value === undefined && !isNonNullType(definition.type);
    return { name: definition.name, mayBeAbsent, read: argumentReader(definition, value) };
  });
  return (variables) => {
    const args: Record<string, unknown> = {};
    for (const { name, mayBeAbsent, read } of readers) {
      const value = read(variables);
      if (value !== undefined) args[name] = value;
      else if (!mayBeAbsent) return getArgumentValues(field, node, variables);
    }
    return args;
  };
}

export function areConstant({ arguments: args = [] }: FieldNode): boolean {
  return !args.some(({ value }) => usesVariable(value));
}

function argumentReader({ type, defaultValue }: GraphQLArgument, node: ValueNode | undefined): ReadArgument {
  if (node === undefined) return () => defaultValue;
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value;
    const isNullable = !isNonNullType(type);
    return (variables) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return value === null && !isNullable ? undefined : value;
    };
  }
  if (usesVariable(node)) return (variables) => valueFromAST(node, type, variables);
  const constant: unknown = valueFromAST(node, type);
  return () => constant;
}

function usesVariable(value: ValueNode): boolean {
  if (value.kind === Kind.VARIABLE) return true;
  if (value.kind === Kind.LIST) return value.values.some(usesVariable);
  return value.kind === Kind.OBJECT && value.fields.some((field) => usesVariable(field.value));
}
