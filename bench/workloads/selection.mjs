// @ts-check
import { restName } from './names.mjs';

/**
 * What a workload selects: GraphQL names, and single-key objects for what has members. It is written once,
 * and said in the words of each kind of server, so that all of them are asked for the same.
 * @typedef {(string | { readonly [name: string]: Selection })[]} Selection
 */

/** @typedef {{ readonly [name: string]: any }} Row */

/**
 * In the words of the gateway's schema.
 * @param {Selection} selection
 * @returns {string}
 */
export function inGraphql(selection) {
  return entriesOf(selection)
    .map(([name, members]) => (members ? `${name} { ${inGraphql(members)} }` : name))
    .join(' ');
}

/**
 * In the words of a schema made from OpenAPI, which keeps the REST names; the aliases give it our shape.
 * @param {Selection} selection
 * @returns {string}
 */
export function inMesh(selection) {
  return entriesOf(selection)
    .map(([name, members]) => {
      const rest = restName(name);
      const aliased = rest === name ? name : `${name}: ${rest}`;
      return members ? `${aliased} { ${inMesh(members)} }` : aliased;
    })
    .join(' ');
}

/**
 * As the REST parameter `fields`.
 * @param {Selection} selection
 */
export function inRest(selection) {
  const only = entriesOf(selection).map(([name, members]) =>
    members ? { [restName(name)]: entriesOf(members).map(([member]) => restName(member)) } : restName(name),
  );
  return JSON.stringify({ only });
}

/**
 * A REST row as GraphQL would answer it.
 * @param {Row} row
 * @param {Selection} selection
 * @returns {Row}
 */
export function asGraphql(row, selection) {
  return Object.fromEntries(
    entriesOf(selection).map(([name, members]) => {
      const value = row[restName(name)];
      if (!members) return [name, value];
      const convert = (/** @type {Row} */ nested) => asGraphql(nested, members);
      return [name, Array.isArray(value) ? value.map(convert) : convert(value)];
    }),
  );
}

/**
 * @param {Selection} selection
 * @returns {[string, Selection | undefined][]}
 */
function entriesOf(selection) {
  return selection.flatMap((item) => Object.entries(typeof item === 'string' ? { [item]: undefined } : item));
}
