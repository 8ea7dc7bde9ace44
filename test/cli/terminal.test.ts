import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { askSecret, confirm, createProgress, withoutControlCharacters } from '../../src/cli/terminal.ts';

/** A terminal that receives these keys. */
function typing(keys: string) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(keys);
  const interrupt = vi.fn();
  return { input, output, interrupt, shown: () => String(output.read() ?? '') };
}

describe('a question', () => {
  test.each([
    ['y\r', true],
    ['Yes\r', true],
    ['\r', false],
    ['n\r', false],
    ['yellow\r', false],
    ['', false],
  ])('answered with %j is %j', async (keys, answer) => {
    const terminal = typing(keys);
    expect(await confirm('Go on? [y/N] ', terminal)).toBe(answer);
    expect(terminal.shown()).toContain('Go on? [y/N] ');
    expect(terminal.interrupt).not.toHaveBeenCalled();
  });

  test('can be interrupted', async () => {
    const terminal = typing('\x03');
    expect(await confirm('Go on? ', terminal)).toBe(false);
    expect(terminal.interrupt).toHaveBeenCalledOnce();
  });
});

describe('a secret', () => {
  test('is read without being shown', async () => {
    const terminal = typing(' the-secret \r');
    expect(await askSecret('Token: ', terminal)).toBe('the-secret');
    expect(terminal.shown()).toBe('Token: \n');
  });

  test('is asked for when the terminal has stopped showing what is typed', async () => {
    const { input, interrupt } = typing('the-secret\r');
    const events: string[] = [];
    const setRawMode = (on: boolean) => events.push(on ? 'hidden' : 'shown again');
    const output = new Writable({
      write(chunk, _encoding, done) {
        events.push(String(chunk));
        done();
      },
    });
    await askSecret('Token: ', { input: Object.assign(input, { setRawMode }), output, interrupt });
    expect(events).toEqual(['hidden', 'Token: ', 'shown again', '\n']);
  });

  test('may be corrected while it is typed', async () => {
    expect(await askSecret('Token: ', typing('the-x\x7fsecret\r'))).toBe('the-secret');
  });

  test('may be left out, or interrupted', async () => {
    expect(await askSecret('Token: ', typing(''))).toBe('');
    const terminal = typing('half\x03');
    expect(await askSecret('Token: ', terminal)).toBe('');
    expect(terminal.interrupt).toHaveBeenCalledOnce();
  });
});

describe('progress', () => {
  function stream(isTTY: boolean) {
    const written: string[] = [];
    return { written, isTTY, columns: 12, write: (text: string) => written.push(text) };
  }

  test('is one line that is written over and erased', () => {
    const terminal = stream(true);
    const progress = createProgress(terminal);
    progress.show('declarationLines');
    progress.clear();
    expect(terminal.written).toEqual(['\r\x1b[2Kdeclaration', '\r\x1b[2K']);
  });

  test('is not written where nobody watches', () => {
    const pipe = stream(false);
    const progress = createProgress(pipe);
    progress.show('declarationLines');
    progress.clear();
    expect(pipe.written).toEqual([]);
  });
});

test.each([
  ['escape sequences', 'a\x1b[31mb\u009b1mc', 'a [31mb 1mc'],
  ['lines', 'a\r\nb\u2028c\u2029d\u0085e', 'a b c d e'],
  ['directions', 'a\u202eb\u202cc\u2066d\u2069e\u200ff\u061cg', 'a b c d e f g'],
  ['what is not seen', 'a\u200bb\ufeffc\u00add\u{e0041}e', 'a b c d e'],
])('text from elsewhere cannot change %s of a terminal', (_what, text, shown) => {
  expect(withoutControlCharacters(text)).toBe(shown);
});

test('text from elsewhere keeps its letters', () => {
  const text = 'Café Łódź, 日本 שלום é 👍';
  expect(withoutControlCharacters(text)).toBe(text);
});
