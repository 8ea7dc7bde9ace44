// @ts-check
import { Kind } from 'graphql';
import { restName } from '../../workloads/names.mjs';

/** @typedef {{ [name: string]: Fields }} Fields A tree of REST names; a plain field has no members. */

/** A parsed document is reused as long as its text is, so the walk is made once for each. */
const known = new WeakMap();

/**
 * The REST names that a field's selection needs, or those of its member `within`. The workloads have no
 * fragments, so this walk knows none: a peer should not pay for what is not used.
 * @param {import('graphql').GraphQLResolveInfo} info
 * @param {string} [within]
 * @returns {Fields}
 */
export function fieldsOf({ fieldNodes }, within) {
  const [node] = fieldNodes;
  if (!node) return {};
  let fields = known.get(node);
  if (!fields) {
    const member = within ? selected(node).find(({ name }) => name.value === within) : node;
    fields = { id: {}, administration_id: {}, ...treeOf(member) };
    known.set(node, fields);
  }
  return fields;
}

/**
 * @param {readonly Fields[]} trees
 * @returns {Fields}
 */
export function union(trees) {
  /** @type {Fields} */
  const merged = {};
  for (const tree of new Set(trees)) {
    for (const [name, members] of Object.entries(tree)) merged[name] = { ...merged[name], ...members };
  }
  return merged;
}

/**
 * The value of the REST parameter `fields`.
 * @param {Fields} fields
 */
export function parameterOf(fields) {
  const only = Object.entries(fields).map(([name, members]) => {
    const names = Object.keys(members);
    return names.length > 0 ? { [name]: names } : name;
  });
  return JSON.stringify({ only });
}

/**
 * @param {import('graphql').FieldNode | undefined} node
 * @returns {Fields}
 */
function treeOf(node) {
  return Object.fromEntries(selected(node).map((member) => [restName(member.name.value), treeOf(member)]));
}

/** @param {import('graphql').FieldNode | undefined} node */
function selected(node) {
  return (node?.selectionSet?.selections ?? []).filter((selection) => selection.kind === Kind.FIELD);
}
