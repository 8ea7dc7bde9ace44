// @ts-check
import { parse, print } from 'graphql';

/** @param {string} text */
export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/**
 * Renders a block of code. An operation gets a link to GraphiQL; a JSON block after it has its variables.
 * @type {(block: import('marked').Tokens.Code, next: import('marked').Token | undefined) => string}
 */
export function codeBlock({ text, lang = 'text' }, next) {
  const [, body] = /^curl .* -d '(\{"query"[^…]*\})'/s.exec(text) ?? [];
  const isOperation = body || (lang === 'graphql' && /^(query|mutation|subscription|\{)/m.test(text));
  const variables = text.includes('($') && next?.type === 'code' && next.lang === 'json' ? next.text : '';
  const query = body ? print(parse(JSON.parse(body).query)) : text;
  const link = escaped(`/graphql#${new URLSearchParams({ query, ...(variables && { variables }) })}`);
  const open = isOperation ? `<a class="open" href="${link}" target="_blank">Open in GraphiQL</a>` : '';
  const code = lang === 'text' ? escaped(text) : highlighted(text);
  return `<div class="code"><p>${open}</p><pre class="${lang}" tabindex="0"><code>${code}</code></pre></div>\n`;
}

/** A comment, a string or a keyword, approximately right for every language of the pages. */
const TOKEN =
  /((?<=^|\s)(?:#|\/\/).*)|("(?:[^"\\\n]|\\.)*"|'[^']*'|`[^`]*`)|\b(?:query|mutation|subscription|fragment|on|import|export|from|const|let|function|return|async|await|for|of|in|if|else|new|class|throw|def|while|not|curl|node|npm|npx)\b(?![-.:(])/gm;

/** Uses the classes of GitHub's stylesheet. @param {string} code */
function highlighted(code) {
  const text = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return text.replace(TOKEN, (token, comment, string) => {
    const kind = comment ? 'c' : string ? 's' : 'k';
    return `<span class="pl-${kind}">${token}</span>`;
  });
}
