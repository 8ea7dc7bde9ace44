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
process.chdir(join(import.meta.dirname, '..'));
// The gateway stops when this process ends, however that happens.
const options = ['--enable-source-maps', '--import', './scripts/stop-with-npm.mjs'];
const args = [...options, 'dist/main.js', ...process.argv.slice(2)];

for (;;) {
  const state = readState();
  const { status } = spawnSync('npm run --silent compile', { shell: true, stdio: 'inherit' });
  const gateway = status === 0 && spawn(process.execPath, args, { stdio: 'inherit' });
  const ended = gateway && once(gateway, 'exit');
  while (readState() === state) await sleep(300);
  console.log('Source files have changed.');
  if (gateway) gateway.kill();
  await ended;
}

/** Lists the files of src with what changes when one is saved. */
function readState() {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((name) => {
    const { ino, size, mtimeMs } = statSync(join('src', name), { throwIfNoEntry: false }) ?? {};
    return `${name} ${ino} ${size} ${mtimeMs}`;
  });
  return files.join('\n');
}
