// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { join, sep } from 'node:path';
import { stopWithParent } from './stop-with-parent.mjs';

/** Compiles at each change of the sources, and lets Node start the gateway anew. */
const root = join(import.meta.dirname, '..');
const SETTLE_MS = 100;

// Not by `tsc --watch`: the compiler is started by a script that would leave it behind when it is stopped.
const compile = () =>
  spawnSync(process.execPath, [join(root, 'scripts/compile.mjs')], { stdio: 'inherit' }).status;

if (compile() !== 0) process.exit(1);

const args = ['--watch', '--watch-preserve-output', join(root, 'dist/main.js'), ...process.argv.slice(2)];
const gateway = spawn(process.execPath, args, { stdio: 'inherit' });
gateway.once('exit', (status) => process.exit(status ?? 0));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => gateway.kill());
stopWithParent();

/** @type {NodeJS.Timeout | undefined} */
let settled;
watch(join(root, 'src'), { recursive: true }, (_event, file) => {
  // GraphiQL has a build of its own.
  if (!file?.endsWith('.ts') || file.startsWith(`graphiql${sep}`)) return;
  clearTimeout(settled);
  settled = setTimeout(compile, SETTLE_MS);
});
