import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  isObjectType,
} from 'graphql';
import { planOf } from './execution/operation.ts';
import type { FieldPlan, ObjectPlan } from './execution/plan.ts';
import { type Fields, fieldsOf, isWhole, mergeFields } from './rest/fields.ts';
import { traitsOf } from './traits.ts';

/** A plan lives as long as its document, so a selection is read once, not once a row or a request. */
const known = new WeakMap<ObjectPlan, Fields>();

/** The REST fields that the selection below a field asks for, seen as a selection on `type`. */
export function selectionOf(
  info: GraphQLResolveInfo,
  type: GraphQLNamedType = getNamedType(info.returnType),
): Fields {
  return isObjectType(type) ? readObject(planOf(info).objectPlan(type)) : {};
}

function readObject(plan: ObjectPlan): Fields {
  let fields = known.get(plan);
  if (fields === undefined) {
    fields = plan.fields.map(readField).reduce(mergeFields, {});
    known.set(plan, fields);
  }
  return fields;
}

function readField(plan: FieldPlan): Fields {
  const { needs, sameRecord } = traitsOf(plan.field);
  const type = getNamedType(plan.field.type);
  if (sameRecord && isObjectType(type)) return readObject(plan.objectPlan(type));

  const name = restName(plan.field);
  if (name === undefined) return fieldsOf(needs ?? []);
  if (!isObjectType(type)) return fieldsOf([name]);
  const members = readObject(plan.objectPlan(type));
  return { [name]: isWhole(members) ? oneMember(type) : members };
}

/** Pothos notes which property a field exposes, so the type definition is itself the table of names. */
export function restName(field: GraphQLField<unknown, unknown>): string | undefined {
  const { pothosExposedField } = field.extensions;
  return typeof pothosExposedField === 'string' ? pothosExposedField : undefined;
}

/** For an object of which only `__typename` is asked: something must be named, so its first field is. */
function oneMember(type: GraphQLObjectType): Fields {
  const [first] = Object.values(type.getFields()).map(restName);
  return first === undefined ? {} : fieldsOf([first]);
}
