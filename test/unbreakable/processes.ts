import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Process {
  readonly child: ChildProcess;
  readonly url: string;
  /** All that it printed so far. */
  readonly printed: () => string;
  /** Its exit status and the signal that ended it. */
  readonly exit: Promise<unknown[]>;
}

/** The built gateway as a process of its own, ready; `before` is a module that runs first, `flags` are Node's. */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  before = '',
  flags: readonly string[] = [],
): Promise<Process> {
  const module = `data:text/javascript,${encodeURIComponent(before)}`;
  const child = spawn(process.execPath, [...flags, '--expose-gc', '--import', module, main], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
  }
  const exit = once(child, 'exit');
  while (!text.includes('is ready at')) {
    if (child.exitCode !== null || !child.stdout) throw new Error(`The gateway did not start: ${text}`);
    await Promise.race([once(child.stdout, 'data'), exit]);
  }
  const [, url = ''] = /is ready at (\S+)/.exec(text) ?? [];
  return { child, url: url.replace('localhost', '127.0.0.1'), printed: () => text, exit };
}
