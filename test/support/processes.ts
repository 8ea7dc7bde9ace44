import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';

export const compiledMain = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

type Environment = Readonly<Record<string, string>>;

export interface Process {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
  readonly exit: Promise<unknown[]>;
}

export interface RunningProcess extends Process {
  readonly url: string;
}

export interface ProcessOptions {
  readonly before?: string;
  readonly flags?: readonly string[];
  /** Runs something else with Node, with its arguments. */
  readonly script?: readonly string[];
  readonly isShared?: boolean;
}

/** The built gateway as a process of its own, which ends with the test. An embedded service stands still. */
export function spawnGateway(
  env: Environment,
  { before, flags = [], script, isShared }: ProcessOptions = {},
): Process {
  const first =
    before === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(before)}`];
  const child = spawn(process.execPath, [...flags, ...first, ...(script ?? [compiledMain, 'serve'])], {
    env: { PATH: process.env.PATH, EMBEDDED_CHANGES_MS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ends = isShared ? afterAll : onTestFinished;
  ends(() => void child.kill('SIGKILL'));
  return { child, output: gather(child.stdout), errors: gather(child.stderr), exit: once(child, 'exit') };
}

export async function startProcess(env: Environment = {}, options?: ProcessOptions): Promise<RunningProcess> {
  const started = spawnGateway({ PORT: '0', LOG: 'off', ...env }, options);
  const { child, output, errors, exit } = started;
  while (!output().includes('is ready at')) {
    if (child.exitCode !== null || !child.stdout) throw new Error(`It did not start: ${output()}${errors()}`);
    await Promise.race([once(child.stdout, 'data'), exit]);
  }
  const [, url = ''] = /is ready at ([^\s"]+)/.exec(output()) ?? [];
  return { ...started, url: url.replace('localhost', '127.0.0.1') };
}

export function gather(stream: Readable | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}
