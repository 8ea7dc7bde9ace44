import { Lexer, Source, type Token, TokenKind } from 'graphql';
import { commonTokens } from './common-tokens.ts';

/**
 * The explorer changes the syntax tree of a document and prints it, without its comments. So from what it printed, only
 * the tokens that have changed are taken over, and all else stays as it is written. Comments beside tokens that are gone
 * stay as well.
 */
export function keepComments(written: string, printed: string): string {
  if (!written.includes('#')) return printed;
  const before = tokensOf(written);
  const after = tokensOf(printed);
  if (!before || !after) return printed;
  let text = '';
  let [from, to] = [0, 0];
  for (const [here, there] of commonTokens(before, after).slice(1)) {
    const gap: Gap = {
      written,
      printed,
      before: [before[from], before[here]],
      after: [after[to], after[there]],
    };
    const isSame = here === from + 1 && there === to + 1;
    text += isSame ? textBetween(written, gap.before) : changedText(gap);
    text += textOf(written, before[here]);
    [from, to] = [here, there];
  }
  return text;
}

type Ends = readonly [Token | undefined, Token | undefined];

/** What lies between two tokens that are in both texts and follow each other there. */
interface Gap {
  readonly written: string;
  readonly printed: string;
  readonly before: Ends;
  readonly after: Ends;
}

/** The tokens that were printed between the two, and the comments that were written there. */
function changedText({ written, printed, before, after }: Gap): string {
  const [first] = before;
  const [, next] = after;
  const inserted = textBetween(printed, after);
  const comments = commentsBetween(before);
  if (first?.kind === TokenKind.SOF)
    return comments.map((comment) => `${textOf(written, comment)}\n`).join('') + inserted.trimStart();
  const beside = comments.find((comment) => comment.prev === first && comment.line === first?.line);
  const above = comments.filter((comment) => comment !== beside);
  const indent = indentAt(printed, next);
  const onNewLine = (text: string) => (/^\s*\n/.test(text) ? text : `\n${indent}${text.trimStart()}`);
  const text = (comment: Token) => textOf(written, comment);
  // A comment beside a token stays at the end of its line, and one above a token stays above it.
  const line = printed.slice(after[0]?.end, endOfLine(after));
  const below = printed.slice(endOfLine(after), next?.start);
  const head = beside ? `${line} ${text(beside)}${onNewLine(below)}` : inserted;
  if (above.length === 0) return head;
  const isClosing = next !== undefined && /[)}\]]/.test(next.kind);
  const lines = above.map((comment) => `\n${indent}${isClosing ? '  ' : ''}${text(comment)}`);
  return `${head.trimEnd()}${lines.join('')}\n${indent}`;
}

/** Where the line of the first token ends, or the last token before the other one. */
function endOfLine([first, last]: Ends): number {
  let token = first;
  while (token?.next && token.next !== last && token.next.line === first?.line) token = token.next;
  return token?.end ?? 0;
}

/** From the start of the text to its end, without comments; undefined if it is not GraphQL. */
function tokensOf(text: string): Token[] | undefined {
  const lexer = new Lexer(new Source(text));
  const tokens = [lexer.token];
  try {
    while (lexer.token.kind !== TokenKind.EOF) tokens.push(lexer.advance());
    return tokens;
  } catch {
    return undefined;
  }
}

function commentsBetween([first, last]: Ends): Token[] {
  const comments: Token[] = [];
  for (let token = first?.next; token && token !== last; token = token.next)
    if (token.kind === TokenKind.COMMENT) comments.push(token);
  return comments;
}

function textOf(text: string, token: Token | undefined): string {
  return text.slice(token?.start, token?.end);
}

function textBetween(text: string, [first, last]: Ends): string {
  return text.slice(first?.end, last?.start);
}

/** The spaces that the line of a token begins with. */
function indentAt(text: string, token: Token | undefined): string {
  const line = text.slice(0, token?.start).split('\n').at(-1) ?? '';
  return /^ */.exec(line)?.[0] ?? '';
}
