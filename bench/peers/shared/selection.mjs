// @ts-check
import { Kind } from 'graphql';
import { restName } from '../../workloads/names.mjs';

/** @typedef {{ [name: string]: Tree }} Tree A tree of REST names; a plain field has no members. */

/** What a selection asks the REST service for: as a tree, and as the parameter `fields` of a URL. */
class Fields {
  /** @param {Tree} tree */
  constructor(tree) {
    this.tree = tree;
    this.parameter = `&fields=${encodeURIComponent(JSON.stringify({ only: namesIn(tree) }))}`;
  }
}

/** @typedef {InstanceType<typeof Fields>} FieldsOf */

/** A parsed document is reused as long as its text is, so the walk is made once for each. */
/** @type {WeakMap<object, Fields>} */
const known = new WeakMap();

/** What wraps the records of a list. */
const WRAPPERS = new Set(['nodes', 'edges', 'node']);
/** What is made from the id of a record, which is always asked for. */
const DERIVED = new Set(['__typename', 'id', 'cursor', 'pageInfo']);

/**
 * What the selection of a field needs. The documents of the clients have no fragments, so this walk knows none: a peer
 * should not pay for what is not used.
 * @param {import('graphql').GraphQLResolveInfo} info
 */
export function fieldsOf({ fieldNodes }) {
  const [node] = fieldNodes;
  if (!node) throw new TypeError('A field has no nodes.');
  let fields = known.get(node);
  if (!fields) {
    fields = new Fields({ id: {}, administration_id: {}, ...treeOf(node) });
    known.set(node, fields);
  }
  return fields;
}

/** @type {WeakMap<Fields, { all: Fields[], union: Fields }>} */
const unions = new WeakMap();

/**
 * The union of what the lookups of one batch need, worked out once for each document as well.
 * @param {readonly Fields[]} needed
 */
export function union(needed) {
  const all = [...new Set(needed)];
  const [first] = all;
  if (first === undefined || all.length === 1) return first ?? new Fields({});
  const last = unions.get(first);
  if (last?.all.length === all.length && all.every((fields, index) => fields === last.all[index]))
    return last.union;
  /** @type {Tree} */
  const merged = {};
  for (const { tree } of all) {
    for (const [name, members] of Object.entries(tree)) merged[name] = { ...merged[name], ...members };
  }
  const made = new Fields(merged);
  unions.set(first, { all, union: made });
  return made;
}

/** @param {Tree} tree */
function namesIn(tree) {
  return Object.entries(tree).map(([name, members]) => {
    const names = Object.keys(members);
    return names.length > 0 ? { [name]: names } : name;
  });
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
