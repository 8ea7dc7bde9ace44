import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import type { Environment } from '../config/index.ts';
import { GIVEN_NODE_ENV } from '../production.ts';

export const INTERRUPTED = 130;

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface CommandContext {
  readonly env: Environment;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** The delay before the first retry; later ones are longer. */
  readonly firstWaitMs: number;
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

/** Reads a line, and hides a secret. Returns an empty text without a terminal or without input. */
export async function prompt(question: string, context: CommandContext, { isSecret = false } = {}) {
  const { stdin, stderr, exit } = context;
  if (!stdin.isTTY) return '';
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const readline = createInterface({ input: stdin, output: isSecret ? unseen : stderr, terminal: true });
  // While readline reads a terminal, Ctrl-C raises no signal.
  readline.once('SIGINT', () => {
    readline.close();
    exit(INTERRUPTED);
  });
  // Written after createInterface, which turns the terminal's echo off.
  if (isSecret) stderr.write(question);
  const line = await new Promise<string>((resolve) => {
    readline.question(question, resolve);
    readline.once('close', () => resolve(''));
  });
  readline.close();
  if (isSecret) stderr.write('\n');
  return line.trim();
}

export function writeText(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

export function isBrokenPipe(error: unknown): boolean {
  return Object(error).code === 'EPIPE';
}

export function print(text: string, context: CommandContext): number {
  watchOutput(context);
  context.stdout.write(text);
  return 0;
}

/** A pipe that closes early is not an error, except for doctor, whose checks are then incomplete. */
export function watchOutput({ stdout, stderr, exit }: CommandContext, statusOfClosedPipe = 0): void {
  stdout.on('error', (error) => {
    if (!isBrokenPipe(error)) stderr.write(`${error.message}\n`);
    exit(isBrokenPipe(error) ? statusOfClosedPipe : 1);
  });
}

/** Replaces characters that would send escape sequences to the terminal, or disguise foreign text. */
export function withoutControlCharacters(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Wraps text within the width, in a column. A longer word gets a line of its own. */
export function wrapText(text: string, width: number, column = 0): string {
  const line = new RegExp(`[^ ].{0,${width - column - 1}}(?= |$)|[^ ]+`, 'g');
  const lines = text.replace(/ +/g, ' ').match(line) ?? [];
  return lines.join(`\n${' '.repeat(column)}`);
}

export function toSentence(text: string): string {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

export type CommandNotes = ReturnType<typeof createNotes>;

/** Reports the progress of a command on standard error, and never shows the token. */
export function createNotes(output: Output, isQuiet: boolean, token: () => string) {
  const erase = output.isTTY ? '\r\x1b[2K' : '';
  let last = '';
  const say = (text: string) => {
    last = text;
    const shown = withoutControlCharacters(toSentence(text.replaceAll(token(), '***')));
    output.write(`${erase}${shown}\n`);
  };
  return {
    say,
    note: (text: string) => {
      if (!isQuiet && text !== last) say(text);
    },
    /** At a terminal, a line that the next one overwrites. */
    progress: (text: string) => erase && !isQuiet && output.write(`${erase}${text}`),
  };
}
