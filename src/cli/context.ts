import type { Writable } from 'node:stream';
import type { Environment } from '../config/index.ts';
import { GIVEN_NODE_ENV } from '../production.ts';
import type { Terminal } from './terminal.ts';

/** The status of a command that was interrupted before its end. */
export const INTERRUPTED = 130;

/** A terminal, a file or a pipe. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
  /** The width of a terminal. */
  readonly columns?: number;
}

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

/** To ask for the token at, where there is a terminal. */
export function terminalOf({ stdin, stderr, exit }: CommandContext): Terminal | undefined {
  if (!stdin.isTTY) return undefined;
  return { input: stdin, output: stderr, interrupt: () => exit(INTERRUPTED) };
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
