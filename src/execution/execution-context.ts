import {
  type FieldNode,
  GraphQLError,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isNonNullType,
  type ResponsePath,
  responsePathAsArray,
  type SourceLocation,
} from 'graphql';
import { type AsyncInfo, asyncInfo, coercedValues } from '../graphql-version.ts';
import { weakMemoize } from '../memoize.ts';
import { asError, TOO_MANY_READS, withoutStack } from '../rest/errors.ts';
import type { PlannedOperation } from './operation.ts';
import { FieldPlan, RESOLVED_VALUE_COST, type ResultObject } from './plan.ts';
import type { ResultSize } from './result-size.ts';

export type Source = { readonly [name: string]: unknown };

/** More errors would not help the client, and each takes longer than a row. */
const MAX_ERRORS = 500;

/** Where a value is written: a member of an object, or an item of a list. Resolvers get it as `info.path`. */
export interface ResultPath extends ResponsePath {
  readonly prev: ResultPath | undefined;
  readonly plan: FieldPlan;
  readonly type: GraphQLOutputType;
  readonly container: ResultObject | unknown[];
  /** Whether a non-null value in it failed, so that null is here or in one of its parents. */
  isNulled: boolean;
}

export function addPath(plan: FieldPlan, container: ResultObject, prev?: ResultPath): ResultPath {
  const { key, parentType, field } = plan;
  return { prev, key, typename: parentType.name, plan, type: field.type, container, isNulled: false };
}

export function setResult({ container, key }: ResultPath, value: unknown): void {
  if (Array.isArray(container)) container[Number(key)] = value;
  else container[key] = value;
}

/** The rows whose field one call resolves. */
type BatchedRows = { readonly sources: Source[]; readonly paths: ResultPath[] };

type CompleteValue<Value> = (exeContext: ExecutionContext, value: Value | Error, path: ResultPath) => void;

/** The state of one execution of an operation. */
export class ExecutionContext {
  /** Null once a non-null root field has failed. */
  data: ResultObject | null = {};
  /** Rows that wait to be resolved, by their field. */
  readonly batches = new Map<FieldPlan, BatchedRows>();
  readonly #errors: GraphQLError[] = [];
  #omittedErrors = 0;
  #pending = 0;
  #onSettled: (() => void) | undefined;

  constructor(
    readonly planned: PlannedOperation,
    readonly contextValue: unknown,
    readonly size: ResultSize,
  ) {}

  /** Completes a path with the value of a promise, or with its error. `completeValue` must not throw. */
  completePromise<Value>(
    value: PromiseLike<Value>,
    path: ResultPath,
    completeValue: CompleteValue<Value>,
  ): void {
    this.#pending += 1;
    const settle = (result: Value | Error) => {
      completeValue(this, result, path);
      this.#pending -= 1;
      if (this.#pending === 0) this.#onSettled?.();
    };
    Promise.resolve(value).then(settle, (error) => settle(asError(error)));
  }

  /** Resolves once all promises are completed, also those that completing others has started. */
  whenSettled(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSettled = resolve;
      if (this.#pending === 0) resolve();
    });
  }

  isNulled(path: ResultPath | undefined): boolean {
    return path ? path.isNulled : this.data === null;
  }

  /** Writes null for a failed value, here or at the nearest nullable parent. */
  handleFieldError(error: unknown, path: ResultPath): void {
    // A hundred times as many such errors may follow.
    if (error === TOO_MANY_READS) this.size.stop(TOO_MANY_READS);
    // A stopped operation has a single error.
    if (this.size.error !== undefined) return;
    let at: ResultPath | undefined = path;
    for (; at && isNonNullType(at.type) && !at.isNulled; at = at.prev) at.isNulled = true;
    // One error per null is enough.
    if (this.isNulled(at)) return;
    if (at) {
      at.isNulled = true;
      setResult(at, null);
    } else this.data = null;
    this.addError(error, path);
  }

  /** Adds an error, or only counts it if there are enough. */
  addError(error: unknown, path: ResultPath): void {
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(locateError(error, path));
    else this.#omittedErrors += 1;
  }

  get errors(): GraphQLError[] | undefined {
    if (this.#omittedErrors === 0) return this.#errors.length > 0 ? this.#errors : undefined;
    const message = `${this.#omittedErrors} more errors are not shown.`;
    return [...this.#errors, new GraphQLError(message, { extensions: { code: 'MORE_ERRORS' } })];
  }
}

/** The resolve info that this executor passes to resolvers. */
type PlannedInfo = GraphQLResolveInfo &
  AsyncInfo & { readonly exeContext: ExecutionContext; readonly path: ResultPath };

export function buildResolveInfo(exeContext: ExecutionContext, path: ResultPath): PlannedInfo {
  const { field, nodes: fieldNodes, parentType, planContext } = path.plan;
  const { schema, fragments } = planContext;
  const { definition, variableValues } = exeContext.planned;
  return {
    exeContext,
    path,
    fieldName: field.name,
    fieldNodes,
    returnType: field.type,
    parentType,
    schema,
    fragments,
    rootValue: undefined,
    operation: definition,
    variableValues,
    getAbortSignal: asyncInfo.getAbortSignal,
    getAsyncHelpers: asyncInfo.getAsyncHelpers,
  };
}

/** Counts objects of a result before they are resolved. Throws if the result would be too large. */
export function countResolved(info: GraphQLResolveInfo | PlannedInfo, objects: number): void {
  if (!('exeContext' in info)) return;
  const { size } = info.exeContext;
  size.add(objects * RESOLVED_VALUE_COST, 0);
  if (size.error) throw size.error;
}

/** Reports an error of a field that keeps its value. In another executor, the field fails. */
export function addFieldError(info: GraphQLResolveInfo | PlannedInfo, error: Error): void {
  if (!('exeContext' in info)) throw error;
  info.exeContext.addError(error, info.path);
}

/** Returns the plan of the field being resolved, or creates one if another executor, such as graphql-js, runs it. */
export function getFieldPlan(info: GraphQLResolveInfo | PlannedInfo): FieldPlan {
  if ('exeContext' in info) return info.path.plan;
  const { fieldNodes, parentType, fieldName, variableValues } = info;
  const field = parentType.getFields()[fieldName];
  if (field === undefined) throw new Error(`There is no field ${parentType.name}.${fieldName}`);
  return new FieldPlan(fieldName, field, parentType, [...fieldNodes], {
    ...info,
    variables: coercedValues(variableValues),
  });
}

/** Converts an error for a result. `toPublicError` decides what clients see of it. */
export function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = asError(error);
  return new GraphQLError(originalError.message, { originalError });
}

/** Like `locatedError`, which would read the whole document for each error to count its lines. */
export function locateError(error: unknown, path: ResultPath): GraphQLError {
  const originalError = asError(error);
  const graphqlError = originalError instanceof GraphQLError ? originalError : undefined;
  if (graphqlError?.path) return graphqlError;
  const located = withoutStack(
    () => new GraphQLError(originalError.message, { path: responsePathAsArray(path), originalError }),
  );
  const { nodes } = path.plan;
  const at = graphqlError?.locations ? graphqlError : { nodes, locations: getLocations(nodes) };
  return Object.assign(located, { nodes: at.nodes, locations: at.locations });
}

const getLocations = weakMemoize((nodes: readonly FieldNode[]): SourceLocation[] =>
  nodes.flatMap(({ loc }) => (loc ? { line: loc.startToken.line, column: loc.startToken.column } : [])),
);
