import {
  type FieldNode,
  GraphQLError,
  type ResponsePath,
  responsePathAsArray,
  type SourceLocation,
} from 'graphql';
import { weakMemoize } from '../memoize.ts';
import { asError, withoutStack } from '../rest/errors.ts';
import type { FieldPlan } from './plan.ts';

/** As `locatedError`, which reads the whole document for each error to count its lines. */
export function locate({ nodes }: FieldPlan, error: unknown, path: ResponsePath): GraphQLError {
  const originalError = asError(error);
  const known = originalError instanceof GraphQLError ? originalError : undefined;
  if (known?.path) return known;
  const located = withoutStack(
    () => new GraphQLError(originalError.message, { path: responsePathAsArray(path), originalError }),
  );
  return Object.assign(
    located,
    known?.locations
      ? { nodes: known.nodes, locations: known.locations }
      : { nodes, locations: locationsOf(nodes) },
  );
}

const locationsOf = weakMemoize((nodes: readonly FieldNode[]): SourceLocation[] =>
  nodes.flatMap(({ loc }) => (loc ? { line: loc.startToken.line, column: loc.startToken.column } : [])),
);
