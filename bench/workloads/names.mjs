// @ts-check

/** @type {Map<string, string>} */
const known = new Map([['internalId', 'id']]);

/**
 * The REST name of a GraphQL field: `street1` is `street_1`.
 * @param {string} name
 */
export function restName(name) {
  let rest = known.get(name);
  if (rest === undefined) {
    rest = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/\d+/g, '_$&');
    known.set(name, rest);
  }
  return rest;
}
