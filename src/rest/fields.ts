import { weakMemoizePair } from '../memoize.ts';
import { getRestName, type Members } from './values.ts';

/** A tree of member names. A name without members is a scalar field, or an object requested whole. */
export interface FieldTree {
  readonly [name: string]: FieldTree;
}

/** One shared object for all leaves: a selection has hundreds of them. */
export const LEAF: FieldTree = Object.freeze({});

export function createFieldTree(names: readonly string[]): FieldTree {
  return Object.fromEntries(names.map((name) => [name, LEAF]));
}

const cachedUnions = new WeakMap<
  FieldTree,
  { readonly others: readonly FieldTree[]; readonly union: FieldTree }
>();

/** The same trees give the same union, since callers memoize by identity. Unions of pairs would outgrow them. */
export function unionOfAll(trees: ReadonlySet<FieldTree>): FieldTree {
  const [first = LEAF, ...rest] = trees;
  if (rest.length === 0) return first;
  const available = cachedUnions.get(first);
  if (available?.others.length === rest.length && available.others.every((tree, at) => tree === rest[at]))
    return available.union;
  const union = mergeAll(trees);
  cachedUnions.set(first, { others: rest, union });
  return union;
}

export function mergeAll(trees: Iterable<FieldTree>): FieldTree {
  const merged: Record<string, FieldTree> = {};
  for (const tree of trees) {
    for (const [name, members] of Object.entries(tree)) {
      const available = merged[name];
      merged[name] = available && available !== members ? mergeAll([available, members]) : members;
    }
  }
  return merged;
}

export function isEmpty(fields: FieldTree): boolean {
  for (const _ in fields) return false;
  return true;
}

/** Adds the first member to an object without selected members, since the service needs one. */
export function withMembers(members: Members, fields: FieldTree): FieldTree {
  return Object.fromEntries(
    Object.entries(fields).map(([name, selected]) => {
      const nested = members[name]?.members;
      if (nested === undefined) return [name, selected];
      return [
        name,
        isEmpty(selected) ? createFieldTree(Object.keys(nested).slice(0, 1)) : withMembers(nested, selected),
      ];
    }),
  );
}

export function covers(available: FieldTree, wanted: FieldTree): boolean {
  if (available === wanted) return true;
  return Object.entries(wanted).every(([name, members]) => {
    const existing = available[name];
    return existing !== undefined && (isEmpty(existing) || (!isEmpty(members) && covers(existing, members)));
  });
}

/** Returns the fields to request. An object's members are requested together, so that they are of one moment. */
export function findMissingFields(available: FieldTree, wanted: FieldTree): FieldTree {
  const missing = Object.entries(wanted).filter(([name, members]) => !covers(available, { [name]: members }));
  return Object.fromEntries(missing);
}

/** Formats the service's `fields` parameter, in which nested names are single-key objects. */
export const fieldsParameter = weakMemoizePair((members: Members, fields: FieldTree) =>
  JSON.stringify({ only: listNames(members, fields) }),
);

function listNames(members: Members, fields: FieldTree): unknown[] {
  return Object.entries(fields).flatMap(([name, selected]): unknown[] => {
    const member = members[name];
    if (member === undefined) return [];
    const restName = getRestName(name, member);
    return [isEmpty(selected) ? restName : { [restName]: listNames(member.members ?? {}, selected) }];
  });
}
