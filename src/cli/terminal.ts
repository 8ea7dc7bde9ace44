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
export async function ask(question: string, context: CommandContext, isSecret = false): Promise<string> {
  const { stdin, stderr, exit } = context;
  if (!stdin.isTTY) return '';
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const readline = createInterface({ input: stdin, output: isSecret ? unseen : stderr, terminal: true });
  // While readline reads a terminal, Ctrl-C raises no signal.
  readline.once('SIGINT', () => {
    readline.close();
    exit(INTERRUPTED);
  });
  // Only now: createInterface has turned the terminal's echo off.
  if (isSecret) stderr.write(question);
  const line = await new Promise<string>((resolve) => {
    readline.question(question, resolve);
    readline.once('close', () => resolve(''));
  });
  readline.close();
  if (isSecret) stderr.write('\n');
  return line.trim();
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
export function watchOutput({ stdout, stderr, exit }: CommandContext, statusOfClosedPipe = 0): void {
  stdout.on('error', (error) => {
    if (!isBrokenPipe(error)) stderr.write(`${error.message}\n`);
    exit(isBrokenPipe(error) ? statusOfClosedPipe : 1);
  });
}

/**
 * Replaces control characters, so that text from elsewhere cannot send escape sequences to the terminal; and marks of
 * direction, invisible characters and line separators, with which it would show what it does not say.
 */
export function withoutControlCharacters(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Breaks text between words: lines begin in the column and end within the width; a longer word gets one of its own. */
export function wrapText(text: string, width: number, column = 0): string {
  const line = new RegExp(`[^ ].{0,${width - column - 1}}(?= |$)|[^ ]+`, 'g');
  const lines = text.replace(/ +/g, ' ').match(line) ?? [];
  return lines.join(`\n${' '.repeat(column)}`);
}

export function sentenceOf(text: string): string {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

export type CommandNotes = ReturnType<typeof createNotes>;

/** Tells on the error output how a command gets on with its gateway, and never the token. */
export function createNotes(output: Output, isQuiet: boolean, token: () => string) {
  const erase = output.isTTY ? '\r\x1b[2K' : '';
  let last = '';
  /** Even where nothing else is to be told. */
  const say = (text: string) => {
    last = text;
    const shown = withoutControlCharacters(sentenceOf(text.replaceAll(token(), '***')));
    output.write(`${erase}${shown}\n`);
  };
  return {
    say,
    /** What was just said is not said again. */
    note: (text: string) => {
      if (!isQuiet && text !== last) say(text);
    },
    /** At a terminal, a line that the next one overwrites. */
    progress: (text: string) => erase && !isQuiet && output.write(`${erase}${text}`),
  };
}
