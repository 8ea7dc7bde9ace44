import { spawnSync } from 'node:child_process';
import { program, testWith } from './requirements.ts';

export const testWithPromtool = testWith(program('promtool', 'prometheus'));

/** What Prometheus' own tool says, on both of its outputs. */
export function promtool(args: readonly string[], input = ''): { status: number | null; said: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error) throw error;
  return { status, said: `${stdout}${stderr}` };
}
