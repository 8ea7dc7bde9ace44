import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Ctrl-C, which a terminal that is being read does not turn into a signal. */
  readonly interrupt: () => void;
}

/** Whether the answer is yes; all else is no, as is an end of the input. */
export async function confirm(question: string, { input, output, interrupt }: Terminal): Promise<boolean> {
  return /^y(es)?$/i.test((await answer(question, { input, output, interrupt })).trim());
}

/** What is typed is neither shown nor kept in a history. */
export async function askSecret(question: string, { input, output, interrupt }: Terminal): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  output.write(question);
  const secret = await answer('', { input, output: nowhere, interrupt });
  output.write('\n');
  return secret.trim();
}

function answer(question: string, { input, output, interrupt }: Terminal): Promise<string> {
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
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
