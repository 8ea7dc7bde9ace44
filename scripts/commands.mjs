// @ts-check
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/**
 * Finds the script of a package's command, to run with `process.execPath`. The command itself is a `.cmd` on Windows,
 * which cannot be started without a shell.
 * @param {string} name of the package
 * @param {string} [command]
 * @param {string} [from] the file or folder that depends on it
 */
export function scriptOf(name, command = name, from = import.meta.filename) {
  const manifest = createRequire(from).resolve(`${name}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command]);
}

/** The script of `npm`: the one that runs us, or else the first on the path, where Windows keeps it in a folder. */
export function npmScript({ npm_execpath: running = '', PATH = '' } = process.env) {
  if (/npm-cli\.c?js$/.test(running)) return running;
  const names = ['node_modules/npm/bin/npm-cli.js', 'npm'];
  const places = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = places.filter((place) => existsSync(place)).map((place) => realpathSync(place));
  const script = found.find((place) => place.endsWith('.js'));
  if (script === undefined) throw new Error('npm is not on the PATH.');
  return script;
}
