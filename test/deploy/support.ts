import { readFileSync } from 'node:fs';
import { root, rowsOf } from '../docs/pages.ts';

export function readDeploy(name: string): string {
  return readFileSync(new URL(`deploy/${name}`, root), 'utf8');
}

/** Those of Node. */
const OTHERS = ['NODE_COMPILE_CACHE', 'NODE_ENV', 'NODE_OPTIONS'];

/** The names that are no settings of the tables in docs/settings.md; a secret may be given as a file. */
export function unknownSettings(names: Iterable<string>): string[] {
  const cells = rowsOf('docs/settings.md', 'variable').map(([cell]) => cell);
  const known = new Set([...cells.join().matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
  return [...names].filter((name) => !OTHERS.includes(name) && !known.has(name.replace(/_FILE$/, '')));
}

/** What a process takes at most with flags of Node: its heap, young objects, what is arriving, and Node itself. */
export function megabytesOf(flags: string): number {
  const [, heap = Number.NaN] = /--max-old-space-size=(\d+)/.exec(flags) ?? [];
  const [, semiSpace = 16] = /--max-semi-space-size=(\d+)/.exec(flags) ?? [];
  return Number(heap) * (1 + 1 / 8) + 3 * Number(semiSpace) + 95;
}
