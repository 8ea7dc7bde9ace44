import { GraphQLError, isNonNullType } from 'graphql';
import { TOO_MANY_LOADS } from '../rest/errors.ts';
import type { AnswerSize } from './answer-size.ts';
import { FieldFailure, type Path } from './field-errors.ts';
import type { PlannedInfo, PlannedOperation } from './operation.ts';
import type { FieldPlan } from './plan.ts';

export type Source = { readonly [name: string]: unknown };
export type ResultObject = Record<string, unknown>;

/** A row whose field is resolved together with that of others. */
export interface BatchedRow {
  readonly source: Source;
  readonly object: ResultObject;
  /** Of the object, not of the field in it. */
  readonly path: Path;
}

/** More would not help the client, and an error takes longer than a row. */
const MAX_ERRORS = 500;

/** One execution of an operation. */
export class Run {
  readonly planned: PlannedOperation;
  readonly context: unknown;
  readonly size: AnswerSize;
  /** Batches that still collect rows. */
  readonly openBatches = new Map<FieldPlan, BatchedRow[]>();
  readonly #errors: GraphQLError[] = [];
  #untold = 0;
  #pendingCount = 0;
  #onSettled: (() => void) | undefined;

  constructor(planned: PlannedOperation, context: unknown, size: AnswerSize) {
    this.planned = planned;
    this.context = context;
    this.size = size;
  }

  /** Sets a nullable field once it resolves. Its errors never propagate, so only the whole response awaits it. */
  defer(object: ResultObject, key: string, value: Promise<unknown>): void {
    object[key] = null;
    this.track(
      value.then((result) => {
        object[key] = result;
      }),
    );
  }

  /** The response waits for this; it never rejects. */
  track(pending: Promise<void>): void {
    this.#pendingCount += 1;
    pending.then(() => {
      this.#pendingCount -= 1;
      if (this.#pendingCount === 0) this.#onSettled?.();
    });
  }

  /** Resolves once all deferred and batched fields are set; undefined if none is pending. */
  whenSettled(): Promise<void> | undefined {
    if (this.#pendingCount === 0) return undefined;
    return new Promise((resolve) => {
      this.#onSettled = resolve;
    });
  }

  /** Adds the failure that makes a nullable field or item null. An operation that was stopped has one error. */
  record(failure: FieldFailure): null {
    if (this.size.error !== undefined) return null;
    if (this.hasEnoughErrors) return this.leaveOut();
    this.#errors.push(failure.locate());
    return null;
  }

  get hasEnoughErrors(): boolean {
    return this.#errors.length >= MAX_ERRORS;
  }

  /** Counts an error that is not told. */
  leaveOut(): null {
    this.#untold += 1;
    return null;
  }

  get errors(): GraphQLError[] | undefined {
    if (this.#untold > 0) return [...this.#errors, moreErrors(this.#untold)];
    return this.#errors.length > 0 ? this.#errors : undefined;
  }
}

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

/** Returns null and adds the error if the field is nullable; otherwise throws, so that it propagates to the parent. */
export function failField(run: Run, plan: FieldPlan, error: unknown, parent: Path): null {
  const isNullable = !isNonNullType(plan.field.type);
  return fail(run, plan, isNullable, error, { prev: parent, key: plan.key, typename: undefined });
}

/** The same for a field, or an item of its list. */
export function fail(run: Run, plan: FieldPlan, isNullable: boolean, error: unknown, path: Path): null {
  // There may be a hundred times as many to come.
  if (error === TOO_MANY_LOADS) run.size.stop(TOO_MANY_LOADS);
  // Nobody reads the rest of an operation that was stopped.
  if (run.size.error !== undefined) return null;
  if (isNullable && run.hasEnoughErrors) return run.leaveOut();
  const failure = error instanceof FieldFailure ? error : new FieldFailure(plan, error, path);
  if (!isNullable) throw failure;
  return run.record(failure);
}

export function infoOf(run: Run, plan: FieldPlan, path: Path): PlannedInfo {
  const { schema, fragments } = plan.operation;
  return {
    plan,
    reportError: (error) => run.record(new FieldFailure(plan, error, path)),
    path: path ?? { prev: undefined, key: plan.key, typename: undefined },
    fieldName: plan.field.name,
    fieldNodes: plan.nodes,
    returnType: plan.field.type,
    parentType: plan.parentType,
    schema,
    fragments,
    rootValue: undefined,
    operation: run.planned.definition,
    variableValues: run.planned.variables,
  };
}
