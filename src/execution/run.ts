import {
  type FieldNode,
  GraphQLError,
  type ResponsePath,
  responsePathAsArray,
  type SourceLocation,
} from 'graphql';
import { weakMemoize } from '../memoize.ts';
import { asError, TOO_MANY_LOADS, withoutStack } from '../rest/errors.ts';
import type { AnswerSize } from './answer-size.ts';
import type { PlannedInfo, PlannedOperation } from './operation.ts';
import type { FieldPlan } from './plan.ts';

export type Path = ResponsePath | undefined;
export type Source = { readonly [name: string]: unknown };
export type ResultObject = Record<string, unknown>;

/** More would not help the client, and an error takes longer than a row. */
const MAX_ERRORS = 500;

/** A row whose field is resolved with those of others. */
export interface BatchedRow {
  readonly source: Source;
  readonly object: ResultObject;
  readonly path: ResponsePath;
}

/** One execution of an operation. */
export class Run {
  readonly planned: PlannedOperation;
  readonly context: unknown;
  readonly size: AnswerSize;
  /** The rows of each field that are resolved together, until they are. */
  readonly batches = new Map<FieldPlan, BatchedRow[]>();
  readonly #errors: GraphQLError[] = [];
  #untold = 0;
  #pending: Promise<void>[] = [];

  constructor(planned: PlannedOperation, context: unknown, size: AnswerSize) {
    this.planned = planned;
    this.context = context;
    this.size = size;
  }

  /** Only the whole response waits for this, which never rejects: a nullable field, or a batch of them. */
  defer(pending: Promise<void>): void {
    this.#pending.push(pending);
  }

  /** Once all deferred fields are set, and what they have deferred in turn. */
  async settled(): Promise<void> {
    while (this.#pending.length > 0) await Promise.all(this.#pending.splice(0));
  }

  /** Adds an error beside the data, or counts it if there are enough. */
  add(error: GraphQLError): null {
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(error);
    else this.#untold += 1;
    return null;
  }

  /** Adds what has gone wrong with a field, or beside it. */
  report(plan: FieldPlan, error: unknown, path: ResponsePath): null {
    return this.add(locate(plan, error, path));
  }

  /** Ends an error here, where null may stand for the value; otherwise throws it, so that it ends further up. */
  fail(plan: FieldPlan, isNullable: boolean, error: unknown, path: ResponsePath): null {
    // There may be a hundred times as many to come.
    if (error === TOO_MANY_LOADS) this.size.stop(TOO_MANY_LOADS);
    // An operation that was stopped has one error, and nobody reads the rest of it.
    if (this.size.error !== undefined) return null;
    const located = this.#errors.length < MAX_ERRORS ? locate(plan, error, path) : UNTOLD;
    if (isNullable) return this.add(located);
    throw located;
  }

  get errors(): GraphQLError[] | undefined {
    if (this.#untold > 0) return [...this.#errors, moreErrors(this.#untold)];
    return this.#errors.length > 0 ? this.#errors : undefined;
  }
}

/** One for all that are only counted: to make an error takes longer than anything else. */
const UNTOLD = new GraphQLError('');

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

function moreErrors(count: number): GraphQLError {
  const [errors, nulls] = count === 1 ? ['error', 'one more null'] : ['errors', 'other nulls'];
  return new GraphQLError(`${count} more ${errors} of this answer, which explain ${nulls}, are left out.`, {
    extensions: { code: 'MORE_ERRORS' },
  });
}

/** Whether an error says that others are left out. */
export function isOfOthers({ extensions }: GraphQLError): boolean {
  return extensions.code === 'MORE_ERRORS';
}

export function infoOf(run: Run, plan: FieldPlan, path: ResponsePath): PlannedInfo {
  const { field, nodes, parentType, operation } = plan;
  return {
    run,
    plan,
    path,
    fieldName: field.name,
    fieldNodes: nodes,
    returnType: field.type,
    parentType,
    schema: operation.schema,
    fragments: operation.fragments,
    rootValue: undefined,
    operation: run.planned.definition,
    variableValues: run.planned.variables,
  };
}

/** Its rejection is handled, whether or not anybody still awaits it: another would end the process. */
export function setLater<Key extends string | number>(
  container: { [key in Key]: unknown },
  key: Key,
  value: Promise<unknown>,
): Promise<void> {
  container[key] = null;
  const set = value.then((settled) => {
    container[key] = settled;
  });
  set.catch(() => {});
  return set;
}

export function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}
