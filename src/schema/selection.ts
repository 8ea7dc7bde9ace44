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

/** A plan lives as long as its document, so a selection is read once, not once a row or a request. */
const readObject = weakMemoize(
  (plan: ObjectPlan): Fields => plan.fields.reduce(nameMember, mergeAll(plan.fields.map(readField))),
);

/** The REST fields that the selection below a field asks for, seen as a selection on `type`. */
export function selectionOf(
  info: GraphQLResolveInfo,
  type: GraphQLNamedType = getNamedType(info.returnType),
): Fields {
  return isObjectType(type) ? readObject(planOf(info).objectPlan(type)) : {};
}

function readField(plan: FieldPlan): Fields {
  const { needs, sameRecord } = restMetadataOf(plan.field);
  const type = getNamedType(plan.field.type);
  if (sameRecord && isObjectType(type)) return readObject(plan.objectPlan(type));

  const name = restName(plan.field);
  if (name === undefined) return fieldsOf(needs ?? []);
  return { [name]: isObjectType(type) ? readObject(plan.objectPlan(type)) : LEAF };
}

/** Of an object whose `__typename` alone is asked for, something must be named all the same: its first field is. */
function nameMember(fields: Fields, { field }: FieldPlan): Fields {
  const name = restName(field);
  const type = getNamedType(field.type);
  const members = name === undefined ? undefined : fields[name];
  if (name === undefined || members === undefined || !isObjectType(type) || !isLeaf(members)) return fields;
  const [first] = Object.values(type.getFields()).map(restName);
  return first === undefined ? fields : { ...fields, [name]: fieldsOf([first]) };
}

/** Pothos notes which property a field exposes, so the type definition is itself the table of names. */
function restName(field: GraphQLField<unknown, unknown>): string | undefined {
  const { pothosExposedField } = field.extensions;
  return typeof pothosExposedField === 'string' ? pothosExposedField : undefined;
}
