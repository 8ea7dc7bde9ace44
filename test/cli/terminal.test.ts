import { PassThrough, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { ask, askSecret, withoutControlCharacters } from '../../src/cli/terminal.ts';

/** A terminal that receives these keys. */
function typing(keys: string) {
  const input = new PassThrough();
  input.end(keys);
  return { input, output: new PassThrough(), interrupt: vi.fn() };
}

test('a secret is asked for when the terminal has stopped showing what is typed', async () => {
  const { input, interrupt } = typing('the-x\x7fsecret \r');
  const events: string[] = [];
  const setRawMode = (on: boolean) => events.push(on ? 'hidden' : 'shown again');
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    events.push(String(chunk));
    done();
  };
  const terminal = {
    input: Object.assign(input, { setRawMode }),
    output: new Writable({ write }),
    interrupt,
  };
  expect(await askSecret('Token: ', terminal)).toBe('the-secret');
  expect(events).toEqual(['hidden', 'Token: ', 'shown again', '\n']);
});

test.each([ask, askSecret])('a question may be interrupted, and left without an answer', async (question) => {
  const terminal = typing('half\x03');
  expect(await question('Go on? ', terminal)).toBe('');
  expect(terminal.interrupt).toHaveBeenCalledOnce();
  expect(await question('Go on? ', typing(''))).toBe('');
});

test.each([
  ['a\x1b[31mb\u009b1mc', 'a [31mb 1mc'],
  ['a\r\nb\u2028c\u2029d\u0085e', 'a b c d e'],
  ['a\u202eb\u202cc\u2066d\u2069e\u200bf\ufeffg', 'a b c d e f g'],
  ['Café Łódź, 日本 שלום é 👍', 'Café Łódź, 日本 שלום é 👍'],
])('text from elsewhere steers no terminal: %j', (text, shown) => {
  expect(withoutControlCharacters(text)).toBe(shown);
});
