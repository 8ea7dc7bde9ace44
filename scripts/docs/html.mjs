// @ts-check

/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** @param {string} text */
export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
