// @ts-check
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { scriptOf } from './commands.mjs';
import { removeStale } from './remove-stale.mjs';

/** Compiles src into dist, where nothing is left of sources that are gone. */
const root = new URL('../', import.meta.url);
const compiler = [scriptOf('typescript', 'tsc'), '-p', fileURLToPath(new URL('src', root))];
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
if (status === 0) removeStale(new URL('src/', root), new URL('dist/', root));
process.exitCode = status ?? 1;
