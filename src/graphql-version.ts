// This module hides the differences between graphql 16 and 17. All other code compiles with both.

import * as graphql from 'graphql';
import {
  type ASTVisitor,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLResolveInfo,
  Kind,
  type ValidationRule,
  type ValueNode,
  ValuesOfCorrectTypeRule,
  versionInfo,
} from 'graphql';

export type InputPath = readonly (string | number)[];
type ReportInput = (path: InputPath, value: unknown, error: GraphQLError) => void;
type ValidateInput<Input> = (
  input: Input,
  type: GraphQLInputType,
  onError: (error: GraphQLError, path: InputPath) => void,
) => void;

/** Only graphql 17 exports these. Its `coerceInputValue` does not report what is wrong. */
const added: {
  readonly validateInputValue?: ValidateInput<unknown>;
  readonly validateInputLiteral?: ValidateInput<ValueNode>;
} = Object(graphql);
const coerce: (value: unknown, type: GraphQLInputType, report: ReportInput) => unknown =
  graphql.coerceInputValue;

export function coerceInput(value: unknown, type: GraphQLInputType, report: ReportInput): unknown {
  const coerced = coerce(value, type, report);
  if (coerced === undefined)
    added.validateInputValue?.(value, type, (error, path) => {
      const wrong = path.reduce<unknown>((outer, key) => Object(outer)[key], value);
      report(path, wrong, withoutValue(error));
    });
  return coerced;
}

type VariableValues = GraphQLResolveInfo['variableValues'];

/** graphql 17 reads `sources` only for literals of custom scalars that contain variables. Scalars are strings here. */
export function toVariableValues(coerced: { readonly [name: string]: unknown }): VariableValues {
  return Object(versionInfo.major > 16 ? { coerced, sources: {} } : coerced);
}

export function coercedValues(values: VariableValues): { readonly [name: string]: unknown } {
  return Object(versionInfo.major > 16 ? values.coerced : values);
}

const asyncHelpers = {
  promiseAll: <Value>(values: readonly (PromiseLike<Value> | Value)[]): Promise<Value[]> =>
    Promise.all(values),
  // Nobody awaits these promises, and their errors are not errors of the field.
  track: (values: readonly unknown[]): void => void Promise.allSettled(values),
};
export type AsyncInfo = typeof asyncInfo;
export const asyncInfo = {
  getAbortSignal: (): AbortSignal | undefined => undefined,
  getAsyncHelpers: () => asyncHelpers,
};

interface InputLocation {
  readonly type: GraphQLInputType | null | undefined;
  readonly path: InputPath;
}

const locations = new WeakMap<GraphQLError, InputLocation>();

export function locateInInput(error: GraphQLError, type: InputLocation['type']): InputLocation {
  return locations.get(error) ?? { type, path: [] };
}

/** Reports every problem in a literal when the visitor enters it, as graphql 17 does, and records its location. */
const valuesRule: ValidationRule = (context): ASTVisitor => {
  const check = (node: ValueNode): false => {
    const type = node.kind === Kind.LIST ? context.getParentInputType() : context.getInputType();
    if (type)
      added.validateInputLiteral?.(node, type, (error, path) => {
        const reported = withoutValue(error);
        locations.set(reported, { type, path });
        context.reportError(reported);
      });
    return false;
  };
  return {
    NullValue: check,
    ListValue: check,
    ObjectValue: check,
    EnumValue: check,
    IntValue: check,
    FloatValue: check,
    StringValue: check,
    BooleanValue: check,
  };
};

export function withValuesRule(rules: readonly ValidationRule[]): readonly ValidationRule[] {
  return rules.map((rule) =>
    rule === ValuesOfCorrectTypeRule && added.validateInputLiteral ? valuesRule : rule,
  );
}

/** graphql 17 quotes input objects in messages, with values that may be secrets. */
function withoutValue({ message, nodes = [] }: GraphQLError): GraphQLError {
  const [, type, field, suggestion = ''] =
    /^Expected value of type "(\w+)" not to include unknown field "([^"]{1,80})"(?:\.( Did you mean [^?]*\?))?/.exec(
      message,
    ) ?? [];
  const reason = field
    ? `Field "${field}" is not defined by type "${type}".${suggestion}`
    : message.replace(/,? found: .*/is, '.');
  return new GraphQLError(reason, { nodes });
}
