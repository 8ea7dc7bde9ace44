import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  isObjectType,
} from 'graphql';
import { planOf } from '../../execution/operation.ts';
import type { FieldPlan, ObjectPlan } from '../../execution/plan.ts';
import { weakMemoize } from '../../memoize.ts';
import { type Fields, fieldsOf, isLeaf, LEAF, mergeAll } from '../../rest/fields.ts';
import { restMetadataOf } from './metadata.ts';

/** Stands for a member of an object of which none is selected, before the name of one that can be requested. */
const ANY = '?';

/** Memoized by plan, so that a selection is collected once, not per row or per request. */
const collectObject = weakMemoize((plan: ObjectPlan): Fields => mergeAll(plan.fields.map(collectField)));

/** The members that a selection on `type` needs; for `withMembers`, once united with others of the same records. */
export function selectionOf(
  info: GraphQLResolveInfo,
  type: GraphQLNamedType = getNamedType(info.returnType),
): Fields {
  return isObjectType(type) ? collectObject(planOf(info).objectPlan(type)) : {};
}

function collectField(plan: FieldPlan): Fields {
  const { isMember, needs = [], wrapsRecord } = restMetadataOf(plan.field);
  const type = getNamedType(plan.field.type);
  if (wrapsRecord && isObjectType(type)) return collectObject(plan.objectPlan(type));

  if (!isMember) return fieldsOf(needs);
  const { name } = plan.field;
  if (!isObjectType(type)) return { [name]: LEAF };
  const members = collectObject(plan.objectPlan(type));
  return { [name]: isLeaf(members) ? anyMemberOf(type) : members };
}

/** For an object with only `__typename` selected: the REST service needs one of its fields. */
const anyMemberOf = weakMemoize((type: GraphQLObjectType): Fields => {
  const first = Object.values(type.getFields()).find((field) => restMetadataOf(field).isMember);
  return first === undefined ? LEAF : fieldsOf([`${ANY}${first.name}`]);
});

/** The fields to request: of an object of which no member is selected anywhere, one of them. */
export const withMembers = weakMemoize((fields: Fields): Fields => {
  const names = Object.keys(fields);
  const selected = names.filter((name) => !name.startsWith(ANY));
  if (selected.length === 0) return names.length === 0 ? fields : fieldsOf(names.map(withoutAny));
  const members = selected.map((name) => [name, withMembers(fields[name] ?? LEAF)] as const);
  const isSame = selected.length === names.length && members.every(([name, own]) => own === fields[name]);
  // The same object where nothing changes, since other trees are memoized by it.
  return isSame ? fields : Object.fromEntries(members);
});

function withoutAny(name: string): string {
  return name.slice(ANY.length);
}
