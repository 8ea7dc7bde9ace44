// @ts-check
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { npmScript } from '../../scripts/commands.mjs';

/** The project does not depend on the peers: only the bench needs them. */
export function installPeers() {
  const changedAt = (/** @type {string} */ file) =>
    statSync(join(import.meta.dirname, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json')) return;
  console.log('Installing the peers, once …');
  const npm = [npmScript(), 'ci', '--ignore-scripts', '--prefix', import.meta.dirname];
  const { status } = spawnSync(process.execPath, npm, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('The peers could not be installed.');
}
