// @ts-check
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compile } from './compiler.mjs';
import { stopWithParent } from './stop-with-parent.mjs';

/** Runs a script of dist for npm, compiled from the sources as they are: `node scripts/run.mjs dist/main.js …`. */
const root = join(import.meta.dirname, '..');
const [script = ''] = process.argv.splice(2, 1);

if (compile(root)) {
  await import(pathToFileURL(join(root, script)).href);
  stopWithParent();
} else {
  process.exitCode = 1;
}
