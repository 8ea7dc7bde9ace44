import { marked, type Token } from 'marked';
import { expect, test } from 'vitest';
import { pages, readPage } from './pages.ts';

/** Commands that work in the repository alone. */
const COMMAND = /\bnpm (?:ci|start|test|run|pack|version)\b/;
const served = pages.filter((page) => !['README.md', 'docs/design.md'].includes(page));

/** What names a command although neither it, nor the text before it, nor the beginning of the page says where it works. */
function unexplained(markdown: string): string[] {
  const tokens = marked.lexer(markdown).filter(({ type }) => type !== 'space');
  const firstSection = tokens.findIndex((token) => token.type === 'heading' && token.depth === 2);
  const beginning = tokens.slice(0, firstSection);
  return tokens
    .filter((token, index) => {
      const before = tokens.slice(0, index).findLast(({ type }) => type !== 'code');
      return COMMAND.test(token.raw) && ![token, before, ...beginning].some(saysWhere);
    })
    .map(({ raw }) => raw);
}

function saysWhere(token: Token | undefined): boolean {
  return token?.raw.includes('repository') ?? false;
}

test.each(served)('%s, which a running gateway serves, says where the repository is needed', (file) => {
  expect(unexplained(readPage(file))).toEqual([]);
});
