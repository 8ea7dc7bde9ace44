// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `npm run test:slow`: the twenty test files that took longest when they last ran, as Vitest remembers them. */
const cache = 'node_modules/.vite/vitest';
const took = readdirSync(cache).flatMap((folder) => {
  /** @type {{ results: [file: string, result: { duration: number }][] }} */
  const { results } = JSON.parse(readFileSync(join(cache, folder, 'results.json'), 'utf8'));
  return results.map(([file, { duration }]) => ({ file: file.replace(/^:/, ''), seconds: duration / 1000 }));
});
const slowest = took
  .filter(({ file }) => existsSync(file))
  .sort((one, other) => other.seconds - one.seconds)
  .slice(0, 20);
for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${file}`);
