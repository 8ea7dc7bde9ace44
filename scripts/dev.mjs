// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `npm run dev`: compiles and starts the gateway, again after each change of src. It compares the files instead of watching
 * them, because Node's watchers miss files that editors replace by renaming another.
 */
const root = join(import.meta.dirname, '..');
const args = process.argv.slice(2);
/** @type {import('node:child_process').ChildProcess | undefined} */
let gateway;

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, async () => {
    await stop(signal);
    process.exit();
  });

for (;;) {
  const state = readState();
  const { status } = spawnSync('npm run --silent compile', { cwd: root, shell: true, stdio: 'inherit' });
  if (status === 0)
    gateway = spawn(process.execPath, ['--enable-source-maps', join(root, 'dist/main.js'), ...args], {
      stdio: 'inherit',
    });
  while (readState() === state) await sleep(300);
  console.log('Source files have changed.');
  await stop('SIGTERM');
}

/** @param {NodeJS.Signals} signal */
async function stop(signal) {
  if (gateway?.exitCode !== null || gateway.signalCode !== null) return;
  gateway.kill(signal);
  await once(gateway, 'exit');
}

/** All files of src, and what changes about one that is saved. */
function readState() {
  const src = join(root, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { ino, size, mtimeMs } = statSync(join(src, name), { throwIfNoEntry: false }) ?? {};
    return `${name} ${ino} ${size} ${mtimeMs}`;
  });
  return files.join('\n');
}
