import {
  type FieldNode,
  GraphQLError,
  type ResponsePath,
  responsePathAsArray,
  type SourceLocation,
} from 'graphql';
import { getOrCreate, weakMemoize } from '../memoize.ts';
import { asError, withoutStack } from '../rest/errors.ts';
import type { FieldPlan } from './plan.ts';

export type Path = ResponsePath | undefined;

/** A value that does not match its type in the schema, such as a null in a non-null field. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

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

  /** Of a field or item that fails with this error, which may be the failure of one below it. */
  static of(plan: FieldPlan, error: unknown, path: Path): FieldFailure {
    return error instanceof FieldFailure ? error : new FieldFailure(plan, error, path);
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

/** In the order of the response, if some were cut. */
const OUTSIDE_ROWS = 0;
const FIRST_OF_FIELD = 1;
const FIRST_OF_CAUSE = 2;
const REPEATED = 3;

/**
 * The errors of a response. It need not repeat the same error for ten thousand rows, and an error costs more than a
 * row; but no null may be left without an explanation. So at most `max` are kept, except that these are never cut: the
 * errors of fields outside of lists, and the first of each field inside the rows of lists. Both are bounded by the
 * fields of the document. Of the others, the first for each cause, such as a failed call, are kept before repetitions.
 */
export class FieldErrors {
  readonly #max: number;
  readonly #inOrder: GraphQLError[] = [];
  /** The same by rank. */
  readonly #kept: readonly GraphQLError[][] = [[], [], [], []];
  /** Causes by field; items of lists apart, since each of them may be null while its list is not. */
  readonly #ofFields = new Map<FieldPlan, Set<unknown>>();
  readonly #ofItems = new Map<FieldPlan, Set<unknown>>();
  #count = 0;
  #truncated = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns whether it is kept. */
  add(failure: FieldFailure, nulled: Path): boolean {
    const rank = this.#rankOf(failure, nulled);
    if (this.#count >= this.#max && !this.#makeRoom(rank)) {
      this.#truncated += 1;
      return false;
    }
    this.#causesOf(failure).add(causeOf(failure));
    const error = failure.locate();
    this.#kept[rank]?.push(error);
    if (this.#truncated === 0) this.#inOrder.push(error);
    this.#count += 1;
    return true;
  }

  get all(): GraphQLError[] {
    return this.#truncated === 0 ? this.#inOrder : this.#kept.flat();
  }

  get truncated(): number {
    return this.#truncated;
  }

  #rankOf(failure: FieldFailure, nulled: Path): number {
    if (!isInRow(nulled)) return OUTSIDE_ROWS;
    const causes = this.#causesOf(failure);
    if (causes.size === 0) return FIRST_OF_FIELD;
    return causes.has(causeOf(failure)) ? REPEATED : FIRST_OF_CAUSE;
  }

  /** Drops an error that ranks lower, if there is one. Returns whether an error of this rank may be added. */
  #makeRoom(rank: number): boolean {
    for (const lower of [REPEATED, FIRST_OF_CAUSE]) {
      if (lower <= rank || this.#kept[lower]?.pop() === undefined) continue;
      this.#count -= 1;
      this.#truncated += 1;
      return true;
    }
    return rank <= FIRST_OF_FIELD;
  }

  #causesOf({ plan, path }: FieldFailure): Set<unknown> {
    const byField = typeof path?.key === 'number' ? this.#ofItems : this.#ofFields;
    return getOrCreate(byField, plan, () => new Set());
  }
}

/** Rows that share a failed call share its error; invalid values are of one kind, wherever they are. */
function causeOf({ cause }: FieldFailure): unknown {
  return cause instanceof InvalidValue ? InvalidValue : cause;
}

function isInRow(path: Path): boolean {
  for (let step = path; step !== undefined; step = step.prev) if (typeof step.key === 'number') return true;
  return false;
}
