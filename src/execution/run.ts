import { type GraphQLError, isNonNullType, locatedError, type ResponsePath } from 'graphql';
import type { PlannedInfo, PlannedOperation } from './operation.ts';
import type { FieldPlan } from './plan.ts';

/** One execution of an operation. */
export interface Run {
  readonly planned: PlannedOperation;
  readonly context: unknown;
  readonly errors: GraphQLError[];
}

export type Path = ResponsePath | undefined;

/** A value that the schema rules out: a null, a scalar or a list where none may be. */
export class UnfitValue extends Error {
  override readonly name = 'UnfitValue';
}

/** An error ends at the nearest field that may be null; until then it climbs. */
export function fail(run: Run, plan: FieldPlan, error: unknown, path: Path): null {
  const here = located(plan, error, { prev: path, key: plan.key, typename: undefined });
  if (isNonNullType(plan.field.type)) throw here;
  run.errors.push(here);
  return null;
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
export function whenWhole<Key extends string | number, Whole extends { [key in Key]: unknown }>(
  whole: Whole,
  pending: readonly Key[],
  recover?: (error: unknown, key: Key) => Whole[Key],
): Promise<Whole> {
  const fill = (key: Key) =>
    Promise.resolve(whole[key]).then(
      (value) => {
        whole[key] = value;
        return whole;
      },
      recover &&
        ((error) => {
          whole[key] = recover(error, key);
          return whole;
        }),
    );
  const [only] = pending;
  // A record that waits for one join is what most have to wait for.
  if (only !== undefined && pending.length === 1) return fill(only);
  return Promise.all(pending.map(fill)).then(() => whole);
}

/** Nobody will read these any more, and a rejection that nobody reads would end the process. */
export function abandon(answers: readonly unknown[]): void {
  for (const answer of answers) if (isPromise(answer)) answer.catch(() => {});
}
