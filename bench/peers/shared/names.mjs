// @ts-check

/**
 * The REST name of a GraphQL field: `street1` is `street_1`.
 * @param {string} name
 */
export function restName(name) {
  if (name === 'internalId') return 'id';
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/\d+/g, '_$&');
}
