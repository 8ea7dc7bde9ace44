import { isNonNullType, type ResponsePath } from 'graphql';
import type { Budget } from './budget.ts';
import { FieldErrors, FieldFailure, type Path } from './field-errors.ts';
import type { PlannedInfo, PlannedOperation } from './operation.ts';
import type { FieldPlan } from './plan.ts';

export type Source = { readonly [name: string]: unknown };
export type ResultObject = Record<string, unknown>;

export interface BatchedRow {
  readonly source: Source;
  readonly object: ResultObject;
  /** Of the object, not of the field in it. */
  readonly path: Path;
}

export class Run {
  readonly planned: PlannedOperation;
  readonly context: unknown;
  readonly budget: Budget;
  /** Batches that still collect rows; created for the first, since most operations have none. */
  openBatches: Map<FieldPlan, BatchedRow[]> | undefined;
  /** Created for the first, since most operations have none. */
  #errors: FieldErrors | undefined;
  #pendingCount = 0;
  #onSettled: (() => void) | undefined;

  constructor(planned: PlannedOperation, context: unknown, budget: Budget) {
    this.planned = planned;
    this.context = context;
    this.budget = budget;
  }

  get errors(): FieldErrors | undefined {
    return this.#errors;
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

  /** Adds the failure that makes the nullable field or item at this path null. An operation that was stopped has one. */
  recordFailure(failure: FieldFailure, nulled: Path): null {
    if (this.budget.stopError !== undefined) return null;
    this.budget.checkClock();
    this.#errors ??= new FieldErrors(this.budget.maxErrors);
    if (this.#errors.add(failure, nulled)) this.budget.addError();
    return null;
  }

  /** Resolves once all deferred and batched fields are set; undefined if none is pending. */
  whenSettled(): Promise<void> | undefined {
    if (this.#pendingCount === 0) return undefined;
    return new Promise((resolve) => {
      this.#onSettled = resolve;
    });
  }
}

/** Returns null and adds the error if the field is nullable; otherwise throws, so that it propagates to the parent. */
export function handleFieldError(run: Run, plan: FieldPlan, error: unknown, parent: Path): null {
  const path = { prev: parent, key: plan.key, typename: undefined };
  const failure = FieldFailure.of(plan, error, path);
  if (isNonNullType(plan.field.type)) throw failure;
  return run.recordFailure(failure, path);
}

/** Created for every row of a join, so most properties are getters. */
export class ResolveInfo implements PlannedInfo {
  readonly #run: Run;
  readonly plan: FieldPlan;
  readonly path: ResponsePath;
  readonly rootValue = undefined;

  constructor(run: Run, plan: FieldPlan, path: Path) {
    this.#run = run;
    this.plan = plan;
    this.path = path ?? { prev: undefined, key: plan.key, typename: undefined };
  }

  reportError(error: Error): void {
    this.#run.recordFailure(new FieldFailure(this.plan, error, this.path), this.path);
  }

  get fieldName() {
    return this.plan.field.name;
  }
  get fieldNodes() {
    return this.plan.nodes;
  }
  get returnType() {
    return this.plan.field.type;
  }
  get parentType() {
    return this.plan.parentType;
  }
  get schema() {
    return this.plan.operation.schema;
  }
  get fragments() {
    return this.plan.operation.fragments;
  }
  get operation() {
    return this.#run.planned.definition;
  }
  get variableValues() {
    return this.#run.planned.variables;
  }
}

/** Only our own resolvers run, and they return native promises. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

/** Awaits the pending members of an object or a list. `recover` may replace an error by a value. */
export function awaitMembers<Key extends string | number, Container extends { [key in Key]: unknown }>(
  container: Container,
  pending: readonly Key[],
  recover?: (error: unknown, key: Key) => Container[Key],
): Promise<Container> {
  const settle = async (key: Key) => {
    try {
      container[key] = await container[key];
    } catch (error) {
      if (!recover) throw error;
      container[key] = recover(error, key);
    }
  };
  return Promise.all(pending.map(settle)).then(() => container);
}

/** No type has lists that are nested deeper; what a service sends may be. */
const MAX_NESTED_LISTS = 4;

/** For promises that are not awaited any more: an unhandled rejection would end the process. */
export function ignoreRejections(values: readonly unknown[], depth = 0): void {
  for (const value of values) ignoreRejection(value, depth);
}

function ignoreRejection(value: unknown, depth: number): void {
  if (isPromise(value))
    value.then(
      (settled) => ignoreRejection(settled, depth),
      () => {},
    );
  else if (Array.isArray(value) && depth < MAX_NESTED_LISTS) ignoreRejections(value, depth + 1);
}
