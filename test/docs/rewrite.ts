import { writeFileSync } from 'node:fs';
import { type Block, readPage, root } from './pages.ts';

/** As long as lines of the pages are at most. */
const WIDTH = 120;

/** Puts other texts into blocks of a page. */
export function rewriteBlocks(path: string, texts: ReadonlyMap<Block, string>): void {
  let page = readPage(path);
  const fromTheEnd = [...texts].sort(([one], [other]) => other.offset - one.offset);
  for (const [{ offset, text }, other] of fromTheEnd) {
    page = `${page.slice(0, offset)}${other}${page.slice(offset + text.length)}`;
  }
  writeFileSync(new URL(path, root), page);
}

/**
 * An answer as a page shows it. The layout of what was shown before is kept where the answer still has the same shape;
 * values of unsteady keys stay as they were shown, since they are different at each run.
 */
export function rewriteJson(shown: string, answer: unknown, unsteady: readonly string[] = []): string {
  const value = keep(answer, JSON.parse(shown), unsteady);
  return withLayoutOf(shown, value) ?? formatJson(value);
}

function keep(value: unknown, shown: unknown, unsteady: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const shownOf = (key: string | number): unknown => Reflect.get(Object(shown ?? {}), key);
  if (Array.isArray(value)) return value.map((item, index) => keep(item, shownOf(index), unsteady));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      unsteady.includes(key) ? (shownOf(key) ?? item) : keep(item, shownOf(key), unsteady),
    ]),
  );
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g;

/** The same text with other values, or undefined where brackets and keys are not the same any more. */
function withLayoutOf(shown: string, value: unknown): string | undefined {
  const tokens = JSON.stringify(value).match(TOKEN) ?? [];
  const before = shown.match(TOKEN) ?? [];
  const isSameShape =
    tokens.length === before.length &&
    before.every((token, index) => !/^[{}[\],:]$/.test(token) || token === tokens[index]);
  if (!isSameShape) return undefined;
  let next = 0;
  const text = shown.replace(TOKEN, () => tokens[next++] ?? '');
  return text.split('\n').every((line) => line.length <= WIDTH) ? text : undefined;
}

/** Objects and lists are on one line where they fit. */
export function formatJson(value: unknown, indent = '', used = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const line = onOneLine(value);
  if (indent.length + used + line.length < WIDTH) return line;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => `${inner}${formatJson(item, inner)}`)
    : Object.entries(value).map(([key, item]) => {
        const name = `${JSON.stringify(key)}: `;
        return `${inner}${name}${formatJson(item, inner, name.length)}`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Of a command: lines that are the same but for what differs at each run stay as they were shown. */
export function rewriteLines(shown: string, output: string, steady: (line: string) => string): string {
  const before = new Map(shown.split('\n').map((line) => [steady(line), line]));
  return output
    .split('\n')
    .map((line) => before.get(steady(line)) ?? line)
    .join('\n');
}
