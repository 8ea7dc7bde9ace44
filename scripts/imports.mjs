// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const sources = new URL('../src/', import.meta.url);

const IMPORT = /^(?:import|export)\b[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

/**
 * The sources of the gateway, and what each imports: other sources by their paths in src, packages by their names.
 * GraphiQL's page is a program of its own.
 * @returns {Map<string, string[]>}
 */
export function readImports() {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split('\\').join('/'))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('graphiql/'));
  return new Map(files.sort().map((file) => [file, importsOf(file)]));
}

/** @param {string} file */
function importsOf(file) {
  const source = readFileSync(new URL(file, sources), 'utf8');
  return Array.from(source.matchAll(IMPORT), (match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    return name.startsWith('.') ? posix.join(posix.dirname(file), name) : name;
  });
}
