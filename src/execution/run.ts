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

export function infoOf({ planned }: Run, plan: FieldPlan, path: Path): PlannedInfo {
  const { schema, fragments } = plan.operation;
  return {
    plan,
    fieldName: plan.field.name,
    fieldNodes: plan.nodes,
    returnType: plan.field.type,
    parentType: plan.parentType,
    path: path ?? { prev: undefined, key: plan.key, typename: undefined },
    schema,
    fragments,
    rootValue: undefined,
    operation: planned.definition,
    variableValues: planned.variables,
  };
}

export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Nobody will read these any more, and a rejection that nobody reads would end the process. */
export function abandon(answers: readonly unknown[]): void {
  for (const answer of answers) if (isPromise(answer)) answer.catch(() => {});
}
