// @ts-check
import { parse, print } from 'graphql';

/** @param {string} text */
export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/**
 * A block of code; an operation can be opened in GraphiQL.
 * @type {(block: import('marked').Tokens.Code, operation?: Record<string, string>) => string}
 */
export function codeBlock({ text, lang = 'text' }, operation) {
  const link = operation && escaped(`/graphql#${new URLSearchParams(operation)}`);
  const open = link ? `<a class="open" href="${link}" target="_blank">Open in GraphiQL</a>` : '';
  return `<div class="code"><p>${open}</p><pre class="${lang}" tabindex="0"><code>${lang === 'text' ? escaped(text) : highlighted(text)}</code></pre></div>\n`;
}

/**
 * The operations of a page by the blocks that show them: GraphQL, with JSON behind it as its variables, or a command.
 * @param {readonly import('marked').Token[]} tokens
 */
export function operationsIn(tokens) {
  /** @type {Map<string, Record<string, string>>} */
  const operations = new Map();
  const blocks = tokens.filter(({ type }) => type !== 'space');
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'code') continue;
    const { lang, text, raw } = block;
    const next = blocks[index + 1];
    const takesVariables = text.includes('($') && next?.type === 'code' && next.lang === 'json';
    const [, body] = /^curl .* -d '(\{"query".*\})'/s.exec(text) ?? [];
    if (lang === 'graphql' && /^(query|mutation|subscription|\{)/m.test(text))
      operations.set(raw, { query: text, ...(takesVariables && { variables: next.text }) });
    else if (body && !body.includes('…'))
      operations.set(raw, { query: print(parse(JSON.parse(body).query)) });
  }
  return operations;
}

/** By the classes of GitHub's stylesheet: good enough for all languages of the pages at once. */
const TOKEN = new RegExp(
  [
    String.raw`(?<c>(?<=^|\s)(?:#|//).*)`,
    // In one piece, since the reader's own address takes its place.
    String.raw`(?<url>https?://[^\s'"]+)`,
    String.raw`(?<ent>"[^"\n]*"(?=\s*:)|\b[\w-]+(?=: )|(?<=\s)--?[a-zA-Z][\w-]*)`,
    String.raw`(?<s>"""[^]*?"""|"(?:[^"\\\n]|\\.)*"|'[^']*'|\`[^\`]*\`)`,
    String.raw`(?<v>[$@]\w+|\b[A-Z_]{2,}(?==))`,
    String.raw`(?<k>\b(?:query|mutation|subscription|fragment|on|import|export|from|const|let|function|return|async|await|for|of|in|if|else|new|class|throw|def|while|not|curl|node|npm|npx)\b(?![-.:(]))`,
    String.raw`(?<c1>\b(?:true|false|null|undefined|None|True|False|\d[\d.]*)\b)`,
  ].join('|'),
  'gm',
);

/** @param {string} code */
function highlighted(code) {
  return code
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(TOKEN, (token, ...match) => {
      const [kind] = Object.entries(match.at(-1)).find(([, found]) => found !== undefined) ?? [];
      return `<span class="pl-${kind}">${token}</span>`;
    });
}
