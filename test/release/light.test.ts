import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import lastRelease from '../../bench/light/last-release.json' with { type: 'json' };

// In a process of its own, as it is started: what a test worker allocates would count too.
test('a lookup is about as light as in the last release', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'light-')), 'light.json');
  await promisify(execFile)(process.execPath, ['bench/main.mjs', '--light', '--only', 'W4', '--json', file]);
  const { measured } = JSON.parse(await readFile(file, 'utf8'));
  const { promises, allocatedKb } = measured[0].weights.W4;
  expect(promises).toBeLessThan(1.05 * lastRelease.W4.promises);
  // How much of it V8 has optimized by then differs a little.
  expect(allocatedKb).toBeLessThan(1.2 * lastRelease.W4.allocatedKb);
});
