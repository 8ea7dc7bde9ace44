// @ts-check

/** @typedef {import('marked').Token} Token */
/** @typedef {import('marked').Tokens.Table} Table */
/** @typedef {{ id: string, text: string, depth: number }} Heading */

/**
 * What a search finds: a part of a page under one heading, or a row of a table that has a name.
 * @typedef {object} Section
 * @property {string} id of its element; empty for the beginning of the page
 * @property {string} heading
 * @property {readonly string[]} above the headings that it stands under, from the outermost
 * @property {string} text
 */

/** Answers and outputs are full of words that the page does not tell about. */
const LEFT_OUT = ['json', 'csv', 'text', 'mermaid'];

/**
 * The sections of a page, in their order.
 * @param {readonly Token[]} tokens
 * @param {readonly Heading[]} headings of the page, as they were rendered
 * @returns {Section[]}
 */
export function sectionsOf(tokens, headings) {
  /** @type {Section[]} */
  const sections = [];
  const names = new Set();
  const rest = [...headings];
  /** @type {Heading[]} */
  let path = [];
  /** @type {Section | undefined} */
  let section;
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = rest.shift();
      if (heading === undefined) throw new Error(`A heading was not rendered: ${token.raw}`);
      path = [...path.filter(({ depth }) => depth < heading.depth), heading];
      const above = path.slice(0, -1).map(({ text }) => text);
      section = { id: heading.depth === 1 ? '' : heading.id, heading: heading.text, above, text: '' };
      sections.push(section);
    } else if (token.type === 'table') {
      for (const row of /** @type {Table} */ (token).rows) {
        const name = rowName(row);
        const [first = '', ...others] = row.map(({ tokens: cell }) => plainText(cell));
        const text = others.join(' ');
        if (name !== undefined && !names.has(name)) {
          names.add(name);
          sections.push({ id: name, heading: first, above: path.map((heading) => heading.text), text });
        } else if (section) section.text += ` ${first} ${text}`;
      }
    } else if (section) section.text += ` ${plainText([token])}`;
  }
  return sections.map((each) => ({ ...each, text: each.text.replace(/\s+/g, ' ').trim() }));
}

/**
 * The name of a setting, a code or the like that a row of a table begins with. It is in capitals, so as the id of the
 * row it differs from the id of every heading.
 * @param {Table['rows'][number]} row
 * @returns {string | undefined}
 */
export function rowName([cell]) {
  const first = cell?.tokens[0];
  return first?.type === 'codespan' && /^[A-Z][A-Z\d_]+$/.test(first.text) ? first.text : undefined;
}

/**
 * @param {readonly Token[]} tokens
 * @returns {string}
 */
function plainText(tokens) {
  return tokens
    .map((token) => {
      if (token.type === 'code') return LEFT_OUT.includes(token.lang ?? '') ? '' : token.text;
      if (token.type === 'list')
        return token.items.map((/** @type {Token} */ item) => plainText([item])).join(' ');
      if (token.type === 'image') return '';
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      return 'text' in token ? token.text : ' ';
    })
    .join('');
}
