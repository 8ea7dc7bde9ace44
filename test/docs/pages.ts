import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = new URL('../../', import.meta.url);
export const rootFolder = fileURLToPath(root);

/** The paths of the pages with executed examples. */
export const pages = [
  'README.md',
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'examples/README.md',
];

export function readPage(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

export interface Block {
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

export function blocksOf(path: string): Block[] {
  const page = readPage(path);
  return Array.from(page.matchAll(BLOCK), ({ 1: language = '', 2: text = '', index }) => ({
    place: `${path}:${page.slice(0, index).split('\n').length}`,
    language,
    text: text.trimEnd(),
  }));
}

export function proseOf(path: string): string {
  return readPage(path).replace(BLOCK, '');
}

export function rowsOf(page: string, title: string): string[][] {
  const tables = proseOf(page).matchAll(
    new RegExp(`^\\| ${title} \\|.*\\n\\|[-|: ]+\\n((?:\\|.*\\n)+)`, 'gm'),
  );
  return Array.from(tables, ([, table = '']) => table.trim().split('\n'))
    .flat()
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Makes anchors of headings like GitHub. */
export function anchorsOf(path: string): string[] {
  const headings = proseOf(path).matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const BLOCK = /^```([^\n]*)\n(.*?)^```$/gms;
