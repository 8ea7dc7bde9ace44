// @ts-check
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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

/** Returns the script of the `npm` that started this process, which `npx` does too. */
export function npmScript({ npm_execpath: script = '' } = process.env) {
  if (/npm-cli\.c?js$/.test(script)) return script;
  throw new Error('npm did not start this process. Use `npm run` or `npx`.');
}
