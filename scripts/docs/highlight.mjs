// @ts-check
import { escapeHtml } from './html.mjs';

const DOUBLE_QUOTED = String.raw`"(?:[^"\\\n]|\\.)*"`;
const SINGLE_QUOTED = String.raw`'(?:[^'\\\n]|\\.)*'`;
const NUMBER = String.raw`(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b`;
const TYPE_NAME = String.raw`\b[A-Z]\w*\b`;

/** @param {string} list of words, separated by spaces */
function words(list) {
  return String.raw`\b(?:${list.replaceAll(' ', '|')})\b`;
}

/**
 * The kinds of tokens that each language has. Where several match at one place, the first one counts.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
const LANGUAGES = {
  graphql: {
    comment: '#.*',
    string: `"""[^]*?"""|${DOUBLE_QUOTED}`,
    variable: String.raw`[$@]\w+`,
    keyword: words('query mutation subscription fragment on true false null'),
    property: String.raw`\b\w+(?=:)`,
    type: TYPE_NAME,
    number: NUMBER,
  },
  json: {
    property: String.raw`${DOUBLE_QUOTED}(?=\s*:)`,
    string: DOUBLE_QUOTED,
    keyword: words('true false null'),
    number: NUMBER,
  },
  http: { property: String.raw`^[\w-]+(?=:)` },
  sh: {
    comment: String.raw`(?<=^|\s)#.*`,
    // An apostrophe quotes everything up to the next one, over several lines too.
    string: `'[^']*'|${DOUBLE_QUOTED}`,
    variable: String.raw`\$\w+|\b[A-Z][A-Z_]+(?==)`,
    property: String.raw`(?<=\s)--?[a-zA-Z][\w-]*`,
    keyword: String.raw`(?<=^\s*|[|&;] *|sudo )(?:sudo|curl|node|npm|npx|docker|kubectl|export|cat|echo|cd)(?= )`,
  },
  ts: {
    comment: String.raw`\/\/.*|\/\*[^]*?\*\/`,
    string: String.raw`${SINGLE_QUOTED}|${DOUBLE_QUOTED}|\`(?:[^\`\\]|\\.)*\``,
    keyword: words(
      'import export from default const let function return async await for of in if else new type interface class extends throw try catch typeof true false null undefined',
    ),
    property: String.raw`\b\w+(?=:)`,
    type: TYPE_NAME,
    number: NUMBER,
  },
  python: {
    comment: '#.*',
    string: `"""[^]*?"""|${DOUBLE_QUOTED}|${SINGLE_QUOTED}`,
    keyword: words(
      'import from as def return for in if elif else while with try except finally raise class not and or is lambda None True False',
    ),
    type: TYPE_NAME,
    number: NUMBER,
  },
};

const PATTERNS = new Map(
  Object.entries(LANGUAGES).map(([language, kinds]) => {
    const parts = Object.entries(kinds).map(([kind, pattern]) => `(?<${kind}>${pattern})`);
    return [language, new RegExp(parts.join('|'), 'gm')];
  }),
);

/**
 * Code as HTML, with its tokens in spans. A language that is not known here stays as it is.
 * @param {string} code
 * @param {string} [language]
 */
export function highlight(code, language = '') {
  const pattern = PATTERNS.get(language);
  if (pattern === undefined) return escapeHtml(code);
  let html = '';
  let end = 0;
  for (const { 0: token, index, groups = {} } of code.matchAll(pattern)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    html += `${escapeHtml(code.slice(end, index))}<span class="${kind}">${escapeHtml(token)}</span>`;
    end = index + token.length;
  }
  return html + escapeHtml(code.slice(end));
}
