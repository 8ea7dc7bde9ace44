import { PassThrough, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { askSecret, confirm, withoutControlCharacters } from '../../src/cli/terminal.ts';

/** A terminal that receives these keys. */
function typing(keys: string) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(keys);
  return { input, output, interrupt: vi.fn(), shown: () => String(output.read() ?? '') };
}

test.each([
  ['y\r', true],
  ['Yes\r', true],
  ['\r', false],
  ['yellow\r', false],
  ['', false],
])('a question answered with %j is %j', async (keys, answer) => {
  expect(await confirm('Go on? [y/N] ', typing(keys))).toBe(answer);
});

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

test('a question or a secret may be interrupted', async () => {
  for (const ask of [confirm, askSecret]) {
    const terminal = typing('half\x03');
    expect(await ask('Go on? ', terminal)).toBeFalsy();
    expect(terminal.interrupt).toHaveBeenCalledOnce();
  }
});

test.each([
  ['escape sequences', 'a\x1b[31mb\u009b1mc', 'a [31mb 1mc'],
  ['lines', 'a\r\nb\u2028c\u2029d\u0085e', 'a b c d e'],
  ['directions', 'a\u202eb\u202cc\u2066d\u2069e\u200ff\u061cg', 'a b c d e f g'],
  ['what is not seen', 'a\u200bb\ufeffc\u00add\u{e0041}e', 'a b c d e'],
  ['no letters', 'Café Łódź, 日本 שלום é 👍', 'Café Łódź, 日本 שלום é 👍'],
])('text from elsewhere can change %s of a terminal by none of these', (_what, text, shown) => {
  expect(withoutControlCharacters(text)).toBe(shown);
});
