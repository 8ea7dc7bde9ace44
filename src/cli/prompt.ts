import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Ctrl-C, which a terminal that is being read does not turn into a signal. */
  readonly interrupt: () => void;
}

/** Whether the answer is yes; all else is no, as is an end of the input. */
export async function confirm(question: string, { input, output, interrupt }: Terminal): Promise<boolean> {
  const lines = createInterface({ input, output, terminal: true });
  return /^y(es)?$/i.test((await answer(lines, question, interrupt)).trim());
}

/** What is typed is not shown. */
export async function askSecret(question: string, { input, output, interrupt }: Terminal): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  // Not before the line above has stopped the terminal from showing what is typed.
  output.write(question);
  const secret = await answer(lines, '', interrupt);
  output.write('\n');
  return secret.trim();
}

function answer(lines: Interface, question: string, interrupt: () => void): Promise<string> {
  return new Promise((resolve) => {
    lines.once('SIGINT', () => {
      lines.close();
      interrupt();
    });
    lines.once('close', () => resolve(''));
    lines.question(question, (line) => {
      resolve(line);
      lines.close();
    });
  });
}
