import { Lexer, Source, type Token, TokenKind } from 'graphql';

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
    const [old, changed]: [Ends, Ends] = [
      [before[from], before[here]],
      [after[to], after[there]],
    ];
    const isSame = here === from + 1 && there === to + 1;
    text += isSame ? textBetween(written, old) : changedText(written, old, printed, changed);
    text += textOf(written, before[here]);
    [from, to] = [here, there];
  }
  return text;
}

/** Two tokens that are in both texts and follow each other there. */
type Ends = readonly [Token | undefined, Token | undefined];

/** The tokens that were printed between the two, and the comments that were written there. */
function changedText(written: string, before: Ends, printed: string, after: Ends): string {
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

/** Places of the same token in two texts. */
type Pair = readonly [one: number, other: number];

/** Beyond this many pairs to compare, the changed part is taken as a whole. */
const MAX_PAIRS = 1_000_000;

/** The longest sequence of tokens that two texts have in common. */
function commonTokens(one: readonly Token[], other: readonly Token[]): Pair[] {
  const same = (left: number, right: number) =>
    one[left]?.kind === other[right]?.kind && one[left]?.value === other[right]?.value;
  const shorter = Math.min(one.length, other.length);
  // What was changed is mostly in one place, so most tokens are before or behind it.
  let start = 0;
  while (start < shorter && same(start, start)) start += 1;
  let end = 0;
  while (end < shorter - start && same(one.length - 1 - end, other.length - 1 - end)) end += 1;
  return [
    ...Array.from({ length: start }, (_, index): Pair => [index, index]),
    ...longestBetween(start, one.length - end, other.length - end, same),
    ...Array.from(
      { length: end },
      (_, index): Pair => [one.length - end + index, other.length - end + index],
    ),
  ];
}

function longestBetween(
  start: number,
  oneEnd: number,
  otherEnd: number,
  same: (left: number, right: number) => boolean,
): Pair[] {
  const [rows, columns] = [oneEnd - start + 1, otherEnd - start + 1];
  if (rows * columns > MAX_PAIRS) return [];
  /** The length of the longest common sequence from a pair of places on. */
  const lengths = new Uint32Array(rows * columns);
  const lengthAt = (row: number, column: number) => lengths[row * columns + column] ?? 0;
  for (let row = rows - 2; row >= 0; row -= 1)
    for (let column = columns - 2; column >= 0; column -= 1)
      lengths[row * columns + column] = same(start + row, start + column)
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
  const pairs: Pair[] = [];
  for (let [row, column] = [0, 0]; row < rows - 1 && column < columns - 1; ) {
    if (same(start + row, start + column)) {
      pairs.push([start + row, start + column]);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
