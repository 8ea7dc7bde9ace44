import { fstatSync, readSync, statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Environment } from '../config/index.ts';
import { GIVEN_NODE_ENV } from '../production.ts';
import { CommandFailure } from './failure.ts';
import type { Terminal, TextOutput } from './terminal.ts';

/** The status of a command that was interrupted before its end. */
export const INTERRUPTED = 130;

export interface Output extends Writable, Pick<TextOutput, 'isTTY' | 'columns'> {
  readonly fd?: number;
}

/** What a command uses of the process that it runs in. */
export interface CommandContext {
  readonly env: Environment;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Calls back at each signal to stop. */
  onSignal(listener: () => void): void;
  exit(status: number): void;
}

export const PROCESS: CommandContext = {
  env: { ...process.env, NODE_ENV: GIVEN_NODE_ENV },
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onSignal(listener) {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, listener);
  },
  exit: (status) => process.exit(status),
};

/** The first signal to stop aborts; a second one ends the process at once. */
export function interruptBySignals(interruption: AbortController, context: CommandContext): void {
  context.onSignal(() => (interruption.signal.aborted ? context.exit(INTERRUPTED) : interruption.abort()));
}

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

/**
 * Throws if standard output was closed when the process started. Node opens /dev/null in its place, to read and to
 * write; a shell's `> /dev/null` can only be written.
 */
export function refuseIfClosed({ fd }: Output, lost: string): void {
  if (fd === undefined) return;
  const nothing = statSync('/dev/null', { throwIfNoEntry: false });
  if (!nothing || fstatSync(fd).rdev !== nothing.rdev || nothing.rdev === 0) return;
  try {
    readSync(fd, new Uint8Array(1));
  } catch {
    return;
  }
  throw new CommandFailure(`Standard output is closed or discarded: the ${lost} would be lost.`);
}
