import { weakMemoize } from '../weak-memoize.ts';

/**
 * A tree of REST field names. One structure says what a caller selected, what a REST call asks for, and
 * how two selections become one. A name without members is a plain field, or an object wanted whole.
 */
export interface Fields {
  readonly [name: string]: Fields;
}

/** One object for all plain fields: a selection has hundreds of them. */
export const LEAF: Fields = Object.freeze({});

export function fieldsOf(names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, LEAF]));
}

const unionsWith = weakMemoize((a: Fields) => weakMemoize((b: Fields) => mergeFields(a, b)));

/**
 * The union of two trees as one and the same object each time: operations come again with the same selections, and
 * what was worked out for their union, such as a parameter, is then known.
 */
export function unionOf(a: Fields, b: Fields): Fields {
  return a === b ? a : unionsWith(a)(b);
}

interface CachedUnion {
  readonly trees: readonly Fields[];
  readonly union: Fields;
}

const cachedUnions = new WeakMap<Fields, CachedUnion>();

/**
 * The union of several trees, which all belong to one operation: one and the same object while the same trees come
 * in the same order. Only the whole is kept, and one for each first tree; kept pair by pair, the unions on the way
 * to it would take more memory than the trees.
 */
export function unionOfAll(trees: ReadonlySet<Fields>): Fields {
  const [first = LEAF, ...others] = trees;
  if (others.length === 0) return first;
  let known = cachedUnions.get(first);
  if (known === undefined || !isSame(known.trees, others)) {
    known = { trees: others, union: mergeAll(trees) };
    cachedUnions.set(first, known);
  }
  return known.union;
}

function isSame(known: readonly Fields[], trees: readonly Fields[]): boolean {
  return known.length === trees.length && known.every((tree, index) => tree === trees[index]);
}

/** The union of two trees, made anew, in the order in which names first appear. */
export function mergeFields(a: Fields, b: Fields): Fields {
  return mergeAll([a, b]);
}

/** The union of any number of trees, made in one go: pair by pair, all names would be copied for each tree. */
export function mergeAll(trees: Iterable<Fields>): Fields {
  const merged: Record<string, Fields> = {};
  for (const tree of trees) {
    for (const [name, members] of Object.entries(tree)) {
      const known = merged[name];
      merged[name] = known && known !== members ? mergeFields(known, members) : members;
    }
  }
  return merged;
}

export function isLeaf(fields: Fields): boolean {
  for (const _ in fields) return false;
  return true;
}

/** Whether a record that holds `known` answers for `wanted`. */
export function covers(known: Fields, wanted: Fields): boolean {
  if (known === wanted) return true;
  return Object.entries(wanted).every(([name, members]) => {
    const held = known[name];
    return held !== undefined && (isLeaf(held) || (!isLeaf(members) && covers(held, members)));
  });
}

/** What to ask for where `known` is held and `wanted` is not covered: members of an object come together. */
export function missingFields(known: Fields, wanted: Fields): Fields {
  const missing: Record<string, Fields> = {};
  for (const [name, members] of Object.entries(wanted)) {
    const held = known[name];
    if (held === undefined) missing[name] = members;
    else if (!covers({ [name]: held }, { [name]: members })) {
      missing[name] = isLeaf(members) ? members : mergeFields(held, members);
    }
  }
  return missing;
}

/** The value of the service's `fields` parameter: nested names stand in single-key objects. */
export const fieldsParameter = weakMemoize((fields: Fields) => JSON.stringify({ only: listNames(fields) }));

type Name = string | { readonly [name: string]: readonly Name[] };

function listNames(fields: Fields): Name[] {
  return Object.entries(fields).map(([name, members]) =>
    isLeaf(members) ? name : { [name]: listNames(members) },
  );
}
