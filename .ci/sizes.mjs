// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Prints the lines and files of each folder of src next to those of the last release, so that growth is seen.
 * The option `--write`, as in a release, records them.
 */
const source = join(import.meta.dirname, '../src');
const recorded = join(import.meta.dirname, 'released-sizes.json');

/** @type {Record<string, [lines: number, files: number]>} */
const sizes = {};
for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!/\.tsx?$/.test(name)) continue;
  const lines = readFileSync(join(source, name), 'utf8').split('\n').length - 1;
  for (const folder of ['src', name.includes('/') ? `src/${name.split('/')[0]}` : 'src/*.ts']) {
    const [before, files] = sizes[folder] ?? [0, 0];
    sizes[folder] = [before + lines, files + 1];
  }
}

/** @type {typeof sizes} */
const released = JSON.parse(readFileSync(recorded, 'utf8'));
for (const folder of new Set([...Object.keys(sizes), ...Object.keys(released)])) {
  const [now, then] = [sizes[folder] ?? [0, 0], released[folder] ?? [0, 0]];
  const columns = [0, 1].map((index) => `${now[index]} (${signed((now[index] ?? 0) - (then[index] ?? 0))})`);
  console.log(`  ${folder.padEnd(16)}${columns[0]?.padStart(16)} lines${columns[1]?.padStart(12)} files`);
}
if (process.argv.includes('--write')) writeFileSync(recorded, `${JSON.stringify(sizes)}\n`);

/** @param {number} change */
function signed(change) {
  return change > 0 ? `+${change}` : `${change}`;
}
