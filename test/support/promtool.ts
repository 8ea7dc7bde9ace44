import { spawnSync } from 'node:child_process';
import { test } from 'vitest';

const isInstalled = spawnSync('promtool', ['--version']).status === 0;

if (!isInstalled && !process.env.CI) {
  console.warn("NO PROMTOOL: its tests are skipped. Install it: Debian's package is prometheus.");
}

/** Continuous integration must not lack it unnoticed: there, the tests fail. */
export const testWithPromtool = test.skipIf(!isInstalled && !process.env.CI);

/** What Prometheus' own tool says, on both of its outputs. */
export function promtool(args: readonly string[], input = ''): { status: number | null; said: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error) throw error;
  return { status, said: `${stdout}${stderr}` };
}
