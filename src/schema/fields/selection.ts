import { type GraphQLNamedType, type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql';
import { planOf } from '../../execution/info.ts';
import type { FieldPlan, ObjectPlan } from '../../execution/plan.ts';
import { weakMemoize } from '../../memoize.ts';
import { type Fields, fieldsOf, LEAF, mergeAll } from '../../rest/fields.ts';
import { restMetadataOf } from './metadata.ts';

/** Memoized by plan, so that a selection is collected once, not per row or per request. */
const collectObject = weakMemoize((plan: ObjectPlan): Fields => mergeAll(plan.fields.map(collectField)));

/** The members that a selection on `type` needs. */
export function selectionOf(
  info: GraphQLResolveInfo,
  type: GraphQLNamedType = getNamedType(info.returnType),
): Fields {
  return isObjectType(type) ? collectObject(planOf(info).objectPlan(type)) : {};
}

function collectField(plan: FieldPlan): Fields {
  const { isMember, needs = [], wrapsRecord } = restMetadataOf(plan.field);
  if (!isMember && !wrapsRecord) return fieldsOf(needs);
  const type = getNamedType(plan.field.type);
  const members = isObjectType(type) ? collectObject(plan.objectPlan(type)) : LEAF;
  return wrapsRecord ? members : { [plan.field.name]: members };
}
