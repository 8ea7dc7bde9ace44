// @ts-check
import { writeFileSync } from 'node:fs';
import { readImports } from './imports.mjs';
import { drawLayers } from './layers/draw.mjs';

/**
 * Draws docs/layers.svg from the imports that the sources really have; with --print, it only prints it.
 *
 * Boxes stand in rows, from the entrances down. `parts` are files and folders of src.
 * @type {import('./layers/draw.mjs').Box[]}
 */
const BOXES = [
  { parts: ['main.ts', 'cli/'], row: 0, column: 'left', purpose: 'the command line, doctor' },
  { parts: ['index.ts'], row: 0, column: 'right', purpose: 'the entrance of the library' },
  {
    parts: ['cluster/', 'serve/'],
    row: 1,
    column: 'both',
    purpose: 'starts gateway, pages, telemetry; several workers',
  },
  {
    parts: ['http/'],
    row: 2,
    column: 'both',
    purpose: 'Node’s requests in, responses out: connections, admission, pages',
  },
  {
    parts: ['gateway/'],
    row: 3,
    column: 'both',
    purpose: 'runs one operation: document, cost, cached responses, errors',
  },
  {
    parts: ['schema/'],
    row: 4,
    column: 'both',
    purpose: 'one file a resource: its REST collection, type and fields; loaders',
  },
  {
    parts: ['execution/'],
    row: 5,
    column: 'both',
    purpose: 'a document becomes a plan, once, and the plan an answer',
  },
  {
    parts: ['sharing/'],
    row: 6,
    column: 'both',
    purpose: 'what replicas share through Redis: refreshes, invalidation, call counts',
  },
  {
    parts: ['rest/'],
    row: 7,
    column: 'both',
    purpose: 'REST calls: credentials, pages, cache, retries; no GraphQL',
  },
  { parts: ['limits/'], row: 8, column: 'both', purpose: 'fair shares, memory, time slices' },
  { parts: ['demo/'], row: 2, column: 'beside', purpose: 'the embedded REST service' },
  {
    parts: ['config/', 'telemetry/', 'composite-key.ts', 'production.ts', 'version.ts', 'weak-memoize.ts'],
    row: 5,
    column: 'beside',
    purpose: 'settings, telemetry, memos',
    isCommon: true,
  },
];

const imports = readImports();

/** @param {string} file */
function boxOf(file) {
  const box = BOXES.find(({ parts }) =>
    parts.some((part) => (part.endsWith('/') ? file.startsWith(part) : file === part)),
  );
  if (box === undefined) throw new Error(`src/${file} has no place in scripts/layers.mjs.`);
  return box;
}

/** @type {Map<import('./layers/draw.mjs').Box, number>} */
const files = new Map();
/** @type {Map<string, import('./layers/draw.mjs').Arrow>} */
const arrows = new Map();
for (const [file, names] of imports) {
  const from = boxOf(file);
  files.set(from, (files.get(from) ?? 0) + 1);
  for (const name of names.filter((name) => imports.has(name))) {
    const to = boxOf(name);
    if (to === from) continue;
    const key = `${BOXES.indexOf(from)} ${BOXES.indexOf(to)}`;
    arrows.set(key, { from, to, imports: (arrows.get(key)?.imports ?? 0) + 1 });
  }
}

const svg = drawLayers(BOXES, files, [...arrows.values()]);
if (process.argv.includes('--print')) process.stdout.write(svg);
else writeFileSync(new URL('../docs/layers.svg', import.meta.url), svg);
