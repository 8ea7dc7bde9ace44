import type { GraphQLResolveInfo } from 'graphql';
import { FieldPlan } from './plan.ts';
import type { Place, Run } from './run.ts';

/** The resolve info that this executor passes to resolvers. */
interface PlannedInfo extends GraphQLResolveInfo {
  readonly run: Run;
  readonly path: Place;
}

export function infoOf(run: Run, path: Place): PlannedInfo {
  const { field, nodes: fieldNodes, parentType, operation } = path.plan;
  const { schema, fragments } = operation;
  const { definition, variables: variableValues } = run.planned;
  return {
    run,
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
  };
}

/** Adds an error beside the value of a field, where null would lose the rest. In another executor the field fails. */
export function reportFieldError(info: GraphQLResolveInfo | PlannedInfo, error: Error): void {
  if (!('run' in info)) throw error;
  info.run.report(error, info.path);
}

/** The plan of the field being resolved; created here if another executor, such as graphql-js, runs the schema. */
export function planOf(info: GraphQLResolveInfo | PlannedInfo): FieldPlan {
  if ('run' in info) return info.path.plan;
  const { fieldNodes, parentType, fieldName } = info;
  const field = parentType.getFields()[fieldName];
  if (field === undefined) throw new Error(`There is no field ${parentType.name}.${fieldName}`);
  return new FieldPlan(fieldName, field, parentType, [...fieldNodes], info);
}
