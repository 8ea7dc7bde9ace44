import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { CommandContext } from '../../src/cli/terminal.ts';
import { compiledMain, gather } from '../support/processes.ts';
import { withResolver } from '../support/with-resolver.ts';

type Environment = Readonly<Record<string, string>>;

export interface CommandResult {
  readonly status: unknown;
  readonly output: string;
  readonly errors: string;
}

export interface CommandStreams {
  readonly stdin?: CommandContext['stdin'];
  readonly stdout?: TextOutput;
  readonly stderr?: TextOutput;
}

/** Starts a command in this process, without a terminal, and with hardly a wait; it is interrupted after the test. */
export function startCommand(
  args: readonly string[],
  env: Environment = {},
  { stdin = Readable.from([]), stdout = new TextOutput(), stderr = new TextOutput() }: CommandStreams = {},
) {
  const listeners: (() => void)[] = [];
  const exit = withResolver<number>();
  const context: CommandContext = {
    env,
    stdin,
    stdout,
    stderr,
    firstWaitMs: 0.1,
    onSignal: (listener) => listeners.push(listener),
    exit: exit.resolve,
  };
  const interrupt = () => {
    for (const listener of listeners) listener();
  };
  const ended = Promise.race([runCommandLine(args, context), exit.promise]);
  onTestFinished(async () => {
    interrupt();
    await ended;
  });
  return { output: () => stdout.text, errors: () => stderr.text, ended, interrupt };
}

export class TextOutput extends Writable {
  text = '';
  readonly #onText: (text: string) => void;

  constructor(onText: (text: string) => void = () => {}) {
    super({ decodeStrings: false });
    this.#onText = onText;
  }

  override _write(chunk: string, _encoding: string, done: (error?: Error) => void): void {
    this.text += chunk;
    this.#onText(this.text);
    done();
  }
}

/** A pipe whose reader closes it after so many characters. */
export class ClosingPipe extends TextOutput {
  readonly #length: number;

  constructor(length: number) {
    super();
    this.#length = length;
  }

  override _write(chunk: string, encoding: string, done: (error?: Error) => void): void {
    const isClosed = this.text.length >= this.#length;
    if (isClosed) done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }));
    else super._write(chunk, encoding, done);
  }
}

export async function run(
  args: readonly string[],
  env?: Environment,
  outputs?: CommandStreams,
): Promise<CommandResult> {
  const { output, errors, ended } = startCommand(args, env, outputs);
  const status = await ended;
  return { status, output: output(), errors: errors() };
}

/** Starts the built command line as a process of its own, which ends with the test. */
export function start(args: readonly string[], env: Environment = {}): ChildProcess {
  const child = spawn(process.execPath, [compiledMain, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

export async function runProcess(args: readonly string[], env?: Environment): Promise<CommandResult> {
  const child = start(args, env);
  const [output, errors] = [gather(child.stdout), gather(child.stderr)];
  const [status] = await once(child, 'close');
  return { status, output: output(), errors: errors() };
}
