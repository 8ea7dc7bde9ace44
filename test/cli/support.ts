import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { inject, onTestFinished } from 'vitest';

export interface ProcessResult {
  readonly status: unknown;
  readonly output: string;
  readonly errors: string;
}

export function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  main = inject('bundledMain'),
): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs the built command line as its own process, without a terminal, until it exits. */
export async function run(
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
  main?: string,
): Promise<ProcessResult> {
  const child = start(args, env, main);
  const texts = ['', ''];
  for (const [index, stream] of [child.stdout, child.stderr].entries()) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      texts[index] += chunk;
    });
  }
  const [status] = await once(child, 'close');
  return { status, output: texts[0] ?? '', errors: texts[1] ?? '' };
}
