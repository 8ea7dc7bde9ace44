import { readFileSync } from 'node:fs';
import { root, rowsOf } from '../docs/pages.ts';

export function readDeploy(name: string): string {
  return readFileSync(new URL(`deploy/${name}`, root), 'utf8');
}

const OTHERS = ['NODE_COMPILE_CACHE', 'NODE_ENV', 'NODE_OPTIONS'];

/** Names that the tables of docs/settings.md need not have; a file may hold a secret. */
export function unknownSettings(names: Iterable<string>): string[] {
  const cells = rowsOf('docs/settings.md', 'variable').map(([cell]) => cell);
  const known = new Set([...cells.join().matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
  return [...names].filter((name) => !OTHERS.includes(name) && !known.has(name.replace(/_FILE$/, '')));
}

/** The most memory of a process with flags of Node: its heap, young objects, arriving bytes, and Node itself. */
export function megabytesOf(flags: string): number {
  const [, heap = Number.NaN] = /--max-old-space-size=(\d+)/.exec(flags) ?? [];
  const [, semiSpace = 16] = /--max-semi-space-size=(\d+)/.exec(flags) ?? [];
  return Number(heap) * (1 + 1 / 8) + 3 * Number(semiSpace) + 95;
}
