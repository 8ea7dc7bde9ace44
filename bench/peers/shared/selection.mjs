// @ts-check
import { Kind } from 'graphql';
import { restName } from './names.mjs';

/** @typedef {{ [name: string]: Tree }} Tree A tree of REST names; a plain field has no members. */
/** @typedef {{ tree: Tree, parameter: string }} Fields What a selection asks for: as a tree, and as part of a URL. */

/** A parsed document is reused as long as its text is, so all this is worked out once for each. */
/** @type {WeakMap<object, Fields>} */
const known = new WeakMap();
/** @type {WeakMap<Fields, { all: Fields[], union: Fields }>} */
const unions = new WeakMap();

/** What wraps the records of a list. */
const WRAPPERS = new Set(['edges', 'node']);
/** What is made from the id of a record, which is always asked for. */
const DERIVED = new Set(['__typename', 'id', 'cursor', 'pageInfo']);

/**
 * What the selection of a field needs. The documents of the clients have no fragments, so this walk knows none: a peer
 * should not pay for what is not used.
 * @param {import('graphql').GraphQLResolveInfo} info
 */
export function fieldsOf({ fieldNodes: [node] }) {
  if (!node) throw new TypeError('A field has no nodes.');
  let fields = known.get(node);
  if (!fields) {
    fields = fieldsIn({ id: {}, administration_id: {}, ...treeOf(node) });
    known.set(node, fields);
  }
  return fields;
}

/**
 * The union of what the lookups of one batch need.
 * @param {readonly Fields[]} needed
 */
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
  const made = fieldsIn(merged);
  unions.set(first, { all, union: made });
  return made;
}

/**
 * @param {Tree} tree
 * @returns {Fields}
 */
function fieldsIn(tree) {
  const only = Object.entries(tree).map(([name, members]) => {
    const names = Object.keys(members);
    return names.length > 0 ? { [name]: names } : name;
  });
  return { tree, parameter: `&fields=${encodeURIComponent(JSON.stringify({ only }))}` };
}

/**
 * @param {import('graphql').FieldNode} node
 * @returns {Tree}
 */
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
