// @ts-check
import { Kind, print } from 'graphql';

/** @typedef {{ [name: string]: Tree }} Tree A tree of REST names; a plain field has no members. */
/** @typedef {{ tree: Tree, parameter: string, hasCursors?: boolean }} Fields What a selection asks for: as a tree, and as part of a URL. */

/** A parsed document is reused as long as its text is, so all this is worked out once for each. */
/** @type {WeakMap<object, Fields>} */
const known = new WeakMap();
/** @type {WeakMap<Fields, { all: Fields[], union: Fields }>} */
const unions = new WeakMap();

/** Fields that wrap the records of a list, or that are made from a record's id, which is always requested. */
const WRAPPERS = new Set(['edges', 'node']);
const DERIVED = new Set(['__typename', 'id', 'cursor', 'pageInfo']);

/**
 * Returns the fields that a selection needs. It skips no fragments, since the documents of the clients have none and a
 * peer should not pay for them.
 * @type {(info: import('graphql').GraphQLResolveInfo) => Fields}
 */
export function fieldsOf({ fieldNodes: [node] }) {
  if (!node) throw new TypeError('A field has no nodes.');
  let fields = known.get(node);
  if (!fields) {
    const hasCursors = print(node).includes(' cursor\n');
    fields = { ...buildFields({ id: {}, administration_id: {}, ...treeOf(node) }), hasCursors };
    known.set(node, fields);
  }
  return fields;
}

/** The union of what the lookups of one batch need. @type {(needed: readonly Fields[]) => Fields} */
export function union(needed) {
  const all = [...new Set(needed)];
  const [first] = all;
  if (!first) throw new TypeError('A batch is empty.');
  if (all.length === 1) return first;
  const last = unions.get(first);
  if (last?.all.length === all.length && all.every((fields, index) => fields === last.all[index]))
    return last.union;
  /** @type {Tree} */
  const merged = {};
  for (const { tree } of all) {
    for (const [name, members] of Object.entries(tree)) merged[name] = { ...merged[name], ...members };
  }
  const made = buildFields(merged);
  unions.set(first, { all, union: made });
  return made;
}

/** @type {(tree: Tree) => Fields} */
function buildFields(tree) {
  const only = Object.entries(tree).map(([name, members]) => {
    const names = Object.keys(members);
    return names.length > 0 ? { [name]: names } : name;
  });
  return { tree, parameter: `&fields=${encodeURIComponent(JSON.stringify({ only }))}` };
}

/** @type {(node: import('graphql').FieldNode) => Tree} */
function treeOf(node) {
  /** @type {Tree} */
  const tree = {};
  for (const member of node.selectionSet?.selections ?? []) {
    if (member.kind !== Kind.FIELD || DERIVED.has(member.name.value)) continue;
    if (WRAPPERS.has(member.name.value)) Object.assign(tree, treeOf(member));
    else tree[restName(member.name.value)] = treeOf(member);
  }
  return tree;
}

/** The REST name of a GraphQL field: `street1` is `street_1`. @type {(name: string) => string} */
export function restName(name) {
  if (name === 'internalId') return 'id';
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/\d+/g, '_$&');
}
