import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  getNamedType,
  isObjectType,
} from 'graphql';
import { planOf } from '../execution/operation.ts';
import type { FieldPlan, ObjectPlan } from '../execution/plan.ts';
import { type Fields, fieldsOf, isLeaf, LEAF, mergeAll } from '../rest/fields.ts';
import { weakMemoize } from '../weak-memoize.ts';
import { restMetadataOf } from './metadata.ts';

/** Memoized by plan, so that a selection is collected once, not per row or per request. */
const collectObject = weakMemoize(
  (plan: ObjectPlan): Fields => plan.fields.reduce(ensureMember, mergeAll(plan.fields.map(collectField))),
);

/** The REST fields that the selection of a field needs if it is applied to `type`. */
export function selectionOf(
  info: GraphQLResolveInfo,
  type: GraphQLNamedType = getNamedType(info.returnType),
): Fields {
  return isObjectType(type) ? collectObject(planOf(info).objectPlan(type)) : {};
}

function collectField(plan: FieldPlan): Fields {
  const { restFields, wrapsRecord } = restMetadataOf(plan.field);
  const type = getNamedType(plan.field.type);
  if (wrapsRecord && isObjectType(type)) return collectObject(plan.objectPlan(type));

  const name = restName(plan.field);
  if (name === undefined) return fieldsOf(restFields ?? []);
  return { [name]: isObjectType(type) ? collectObject(plan.objectPlan(type)) : LEAF };
}

/** For an object with only `__typename` selected, requests its first field, since the REST service needs one. */
function ensureMember(fields: Fields, { field }: FieldPlan): Fields {
  const name = restName(field);
  const type = getNamedType(field.type);
  const members = name === undefined ? undefined : fields[name];
  if (name === undefined || members === undefined || !isObjectType(type) || !isLeaf(members)) return fields;
  const first = Object.values(type.getFields())
    .map(restName)
    .find((member) => member !== undefined);
  return first === undefined ? fields : { ...fields, [name]: fieldsOf([first]) };
}

/** The REST name of a field is the property that it exposes, which Pothos stores in the extensions. */
function restName(field: GraphQLField<unknown, unknown>): string | undefined {
  const { pothosExposedField } = field.extensions;
  return typeof pothosExposedField === 'string' ? pothosExposedField : undefined;
}
