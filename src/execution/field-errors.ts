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

export type Path = ResponsePath | undefined;

/** What has gone wrong, and where. Thrown up to the nearest nullable field or item, and made an error only there. */
export class FieldFailure {
  readonly plan: FieldPlan;
  readonly cause: unknown;
  readonly path: Path;

  constructor(plan: FieldPlan, cause: unknown, path: Path) {
    this.plan = plan;
    this.cause = cause;
    this.path = path;
  }

  /** As `locatedError`, which reads the whole document for each error to count its lines. */
  locate(): GraphQLError {
    const originalError = asError(this.cause);
    const isOfGraphQL = originalError instanceof GraphQLError;
    if (isOfGraphQL && originalError.path) return originalError;
    const path = responsePathAsArray(this.path);
    const error = withoutStack(() => new GraphQLError(originalError.message, { path, originalError }));
    const { nodes } = this.plan;
    return Object.assign(
      error,
      isOfGraphQL && originalError.locations
        ? { nodes: originalError.nodes, locations: originalError.locations }
        : { nodes, locations: locationsOf(nodes) },
    );
  }
}

const locationsOf = weakMemoize((nodes: readonly FieldNode[]): SourceLocation[] =>
  nodes.flatMap(({ loc }) => (loc ? { line: loc.startToken.line, column: loc.startToken.column } : [])),
);
