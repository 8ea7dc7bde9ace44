import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Called on Ctrl-C: while readline reads a terminal, Ctrl-C raises no signal. */
  readonly interrupt: () => void;
}

/** Reads a line; empty at the end of the input. */
export function ask(question: string, { input, output, interrupt }: Terminal): Promise<string> {
  return readAnswer(createInterface({ input, output, terminal: true }), question, interrupt);
}

/** Reads a line without echoing it; empty at the end of the input. */
export async function askSecret(question: string, { input, output, interrupt }: Terminal): Promise<string> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const readline = createInterface({ input, output: discard, terminal: true });
  // Only now: createInterface has turned the terminal's echo off.
  output.write(question);
  const secret = await readAnswer(readline, '', interrupt);
  output.write('\n');
  return secret;
}

function readAnswer(readline: Interface, question: string, interrupt: () => void): Promise<string> {
  return new Promise((resolve) => {
    readline.once('SIGINT', () => {
      readline.close();
      interrupt();
    });
    readline.once('close', () => resolve(''));
    readline.question(question, (line) => {
      resolve(line.trim());
      readline.close();
    });
  });
}

/**
 * Replaces control characters, so that text from elsewhere cannot send escape sequences to the terminal; and marks of
 * direction, invisible characters and line separators, with which it would show what it does not say.
 */
export function withoutControlCharacters(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Breaks text between words into lines of at most `width` characters; a longer word gets a line of its own. */
export function wrapText(text: string, width: number): string[] {
  const line = new RegExp(`[^ ].{0,${width - 1}}(?= |$)|[^ ]+`, 'g');
  return text.replace(/ +/g, ' ').match(line) ?? [''];
}
