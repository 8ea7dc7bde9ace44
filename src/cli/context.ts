import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Environment } from '../config/index.ts';
import { GIVEN_NODE_ENV } from '../production.ts';

/** The status of a command that was interrupted before its end. */
export const INTERRUPTED = 130;

/** A terminal, which has a width, a file or a pipe. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a command uses of the process that it runs in. */
export interface CommandContext {
  readonly env: Environment;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Before the second attempt to ask a gateway; later ones wait longer. */
  readonly firstWaitMs: number;
  /** Calls back at each signal to stop. */
  onSignal(listener: () => void): void;
  exit(status: number): void;
}

export const PROCESS: CommandContext = {
  env: { ...process.env, NODE_ENV: GIVEN_NODE_ENV },
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  firstWaitMs: 1_000,
  onSignal(listener) {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, listener);
  },
  exit: (status) => process.exit(status),
};

/** Reads a line at the terminal, and does not show a secret; empty without a terminal, or at the end of the input. */
export async function ask(
  question: string,
  { stdin, stderr, exit }: CommandContext,
  isSecret = false,
): Promise<string> {
  if (!stdin.isTTY) return '';
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const readline = createInterface({ input: stdin, output: isSecret ? unseen : stderr, terminal: true });
  const answered = Promise.race([once(readline, 'line'), once(readline, 'close')]);
  // While readline reads a terminal, Ctrl-C raises no signal.
  readline.once('SIGINT', () => {
    readline.close();
    exit(INTERRUPTED);
  });
  readline.setPrompt(question);
  readline.prompt();
  // Only now: createInterface has turned the terminal's echo off.
  if (isSecret) stderr.write(question);
  const [line = ''] = await answered;
  readline.close();
  if (isSecret) stderr.write('\n');
  return String(line).trim();
}

/** Writes text, and waits until it is with whoever reads it, or on its way there. */
export function writeText(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Whether a reader such as `head` has closed the pipe, because it has enough. */
export function isBrokenPipe(error: unknown): boolean {
  return Object(error).code === 'EPIPE';
}

export function print(text: string, context: CommandContext): number {
  watchOutput(context);
  context.stdout.write(text);
  return 0;
}

/** A reader such as `head` closes the pipe early, which is not an error; but doctor has not checked all then. */
export function watchOutput({ stdout, exit }: CommandContext, statusOfClosedPipe = 0): void {
  stdout.on('error', (error) => {
    if (!isBrokenPipe(error)) throw error;
    exit(statusOfClosedPipe);
  });
}
