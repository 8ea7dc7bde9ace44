// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { readImports } from './imports.mjs';

/** Files of src that stand in the chart beside its folders. The others are small and imported from everywhere. */
const ENTRANCES = ['main.ts', 'index.ts'];

/** The block of docs/design.md that is written here. */
const CHART = /(?<=```mermaid\nflowchart TD\n {2}%% Written by npm run codegen\n)[^`]*/;

/**
 * The file with the chart of the layers as the sources import each other, from the entrances down. An arrow that
 * follows from others is left out, so that the chart shows which layer is above which.
 * @param {string} markdown
 */
export function withLayers(markdown) {
  if (!CHART.test(markdown)) throw new Error('The chart of the layers is missing.');
  const layers = readLayers();
  const height = (/** @type {string} */ name) => reachable(layers, name).size;
  const names = [...layers.keys()].sort((a, b) => height(b) - height(a));
  const arrows = names.flatMap((from) => {
    const below = [...(layers.get(from) ?? [])];
    const next = below.filter((to) => !below.some((other) => reachable(layers, other).has(to)));
    return next.map((to) => `  ${nodeOf(from)} --> ${nodeOf(to)}\n`);
  });
  return markdown.replace(CHART, arrows.join(''));
}

/** @returns {Map<string, Set<string>>} what each layer imports from others */
function readLayers() {
  const imports = readImports();
  /** @type {Map<string, Set<string>>} */
  const layers = new Map();
  for (const [file, names] of imports) {
    const from = layerOf(file);
    const others = names.filter((name) => imports.has(name)).map(layerOf);
    for (const to of others) {
      if (from === undefined || to === undefined || from === to) continue;
      layers.set(from, (layers.get(from) ?? new Set()).add(to));
    }
  }
  return layers;
}

/** @param {string} file */
function layerOf(file) {
  if (file.includes('/')) return file.slice(0, file.indexOf('/'));
  return ENTRANCES.find((name) => file === name);
}

/** @param {string} layer */
function nodeOf(layer) {
  return layer.endsWith('.ts') ? `${layer.slice(0, -3)}["${layer}"]` : layer;
}

/** @type {(layers: Map<string, Set<string>>, from: string) => Set<string>} */
function reachable(layers, from) {
  const below = [...(layers.get(from) ?? [])];
  return new Set([...below, ...below.flatMap((next) => [...reachable(layers, next)])]);
}

if (process.argv[1] === import.meta.filename) {
  const file = new URL('../docs/design.md', import.meta.url);
  writeFileSync(file, withLayers(readFileSync(file, 'utf8')));
}
