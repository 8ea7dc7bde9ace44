import { type GraphQLError, isNonNullType, locatedError, type ResponsePath } from 'graphql';
import type { Budget } from './budget.ts';
import type { PlannedInfo, PlannedOperation } from './operation.ts';
import type { FieldPlan } from './plan.ts';

/** One answer need not tell the same of ten thousand rows, and an error costs more than a row. */
const MAX_ERRORS = 500;

/** One execution of an operation. */
export class Run {
  readonly planned: PlannedOperation;
  readonly context: unknown;
  readonly budget: Budget;
  readonly errors: GraphQLError[] = [];
  #deferred = 0;
  #settled: (() => void) | undefined;

  constructor(planned: PlannedOperation, context: unknown, budget: Budget) {
    this.planned = planned;
    this.context = context;
    this.budget = budget;
  }

  /** Whether errors are no longer told: there are enough of them, or the answer will not be given at all. */
  get isSilent(): boolean {
    return this.errors.length >= MAX_ERRORS || this.budget.stopped !== undefined;
  }

  /**
   * Puts the value of a field that may be null into its place when it comes. Nothing around it depends on that: the
   * field's errors end at the field, and only the answer as a whole waits, not each object and list on the way.
   */
  defer(answer: Record<string, unknown>, key: string, value: Promise<unknown>): void {
    answer[key] = null;
    this.#deferred += 1;
    value.then((settled) => {
      answer[key] = settled;
      this.#deferred -= 1;
      if (this.#deferred === 0) this.#settled?.();
    });
  }

  /** Notes an error of a field or an item that may be null; it is made only where there is room for it. */
  recordError(make: () => GraphQLError): null {
    if (!this.isSilent) this.errors.push(make());
    return null;
  }

  /** Until everything deferred is in its place; undefined where it is. */
  settled(): Promise<void> | undefined {
    if (this.#deferred === 0) return undefined;
    return new Promise((resolve) => {
      this.#settled = resolve;
    });
  }
}

export type Path = ResponsePath | undefined;

/** A value that the schema rules out: a null, a scalar or a list where none may be. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

/** An error ends at the nearest field that may be null; until then it climbs. */
export function fail(run: Run, plan: FieldPlan, error: unknown, path: Path): null {
  const make = () => located(plan, error, { prev: path, key: plan.key, typename: undefined });
  if (isNonNullType(plan.field.type)) throw run.isSilent ? error : make();
  return run.recordError(make);
}

export function located(plan: FieldPlan, error: unknown, path: Path): GraphQLError {
  return locatedError(error, plan.nodes, pathToArray(path));
}

function pathToArray(path: Path): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let step = path; step !== undefined; step = step.prev) keys.unshift(step.key);
  return keys;
}

/** GraphQL's description of the field being resolved: made for every row of a join, so most of it is read on demand. */
export class Info implements PlannedInfo {
  readonly #run: Run;
  readonly plan: FieldPlan;
  readonly path: ResponsePath;
  readonly rootValue = undefined;

  constructor(run: Run, plan: FieldPlan, path: Path) {
    this.#run = run;
    this.plan = plan;
    this.path = path ?? { prev: undefined, key: plan.key, typename: undefined };
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

/** Only our own resolvers run, and they give true promises. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

/** Puts what is pending of an object or a list into its places. `recover` may have a value instead of an error. */
export function awaitMembers<Key extends string | number, Whole extends { [key in Key]: unknown }>(
  whole: Whole,
  pending: readonly Key[],
  recover?: (error: unknown, key: Key) => Whole[Key],
): Promise<Whole> {
  return new Promise((resolve, reject) => {
    let missing = pending.length;
    const put = (key: Key, value: Whole[Key]) => {
      whole[key] = value;
      missing -= 1;
      if (missing === 0) resolve(whole);
    };
    for (const key of pending) {
      Promise.resolve(whole[key]).then(
        (value) => put(key, value),
        (error) => {
          if (!recover) return reject(error);
          try {
            put(key, recover(error, key));
          } catch (unrecovered) {
            reject(unrecovered);
          }
        },
      );
    }
  });
}

/** Nobody will read these any more, and a rejection that nobody reads would end the process. */
export function ignoreRejections(values: readonly unknown[]): void {
  for (const value of values) ignoreRejection(value);
}

function ignoreRejection(value: unknown): void {
  if (isPromise(value)) value.then(ignoreRejection, () => {});
  else if (Array.isArray(value)) ignoreRejections(value);
}
