// @ts-check
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scriptOf } from './commands.mjs';
import { removeStale } from './remove-stale.mjs';

/** Beside the sources, what the compiler's output depends on: its settings, and what npm has installed. */
const SETTINGS = [
  'tsconfig.json',
  'package.json',
  'node_modules/.package-lock.json',
  'node_modules/typescript/package.json',
];

/**
 * Compiles src into dist, where nothing is left of sources that are gone; does nothing if dist is what the last compile
 * made of the same files. That is told by their contents, since `git switch` and copies make any of times.
 * @param {string} root of the project
 * @param {(root: string) => boolean} [run] whether the compiler was content
 * @returns whether dist is compiled
 */
export function compile(root, run = runCompiler) {
  const record = join(root, 'dist/.fingerprint');
  const sources = filesIn(join(root, 'src'));
  // Before compiling: a source that is changed meanwhile has to be compiled again.
  const inputs = fingerprint(root, [...SETTINGS, ...sources.map((source) => `src/${source}`)]);
  const present = () => `${inputs} ${fingerprint(root, sources.flatMap(compiledFrom))}\n`;
  if (existsSync(record) && readFileSync(record, 'utf8') === present()) return true;

  rmSync(record, { force: true });
  if (!run(root)) return false;
  removeStale(pathToFileURL(join(root, 'src/')), pathToFileURL(join(root, 'dist/')));
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(record, present());
  return true;
}

/** @param {string} root */
function runCompiler(root) {
  const compiler = [scriptOf('typescript', 'tsc'), '-p', join(root, 'src')];
  return spawnSync(process.execPath, compiler, { stdio: 'inherit' }).status === 0;
}

/**
 * All but GraphiQL, which has a build of its own.
 * @param {string} folder
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !path.startsWith('graphiql/'))
    .sort();
}

/** @param {string} source */
function compiledFrom(source) {
  if (!source.endsWith('.ts')) return [];
  return ['.js', '.js.map', '.d.ts'].map((extension) => `dist/${source.replace(/\.ts$/, extension)}`);
}

/**
 * @param {string} root
 * @param {readonly string[]} paths
 */
function fingerprint(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const place = join(root, path);
    const content = existsSync(place) ? readFileSync(place) : undefined;
    hash.update(`${path}\0${content?.length ?? 'absent'}\0`).update(content ?? '');
  }
  return hash.digest('hex');
}
