import { PassThrough, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { ask, type CommandContext } from '../../src/cli/context.ts';
import { withoutControlCharacters } from '../../src/cli/text.ts';

/** A terminal that receives these keys, and what happens at it. */
function typing(keys: string) {
  const events: string[] = [];
  const setRawMode = (on: boolean) => events.push(on ? 'hidden' : 'shown again');
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    events.push(String(chunk));
    done();
  };
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  stdin.end(keys);
  const exit = vi.fn<CommandContext['exit']>();
  const streams = { stdin, stdout: new PassThrough(), stderr: new Writable({ write }) };
  return { events, context: { env: {}, ...streams, firstWaitMs: 0, onSignal: () => {}, exit } };
}

test('a secret is asked for when the terminal has stopped showing what is typed', async () => {
  const { events, context } = typing('the-x\x7fsecret \r');
  expect(await ask('Token: ', context, true)).toBe('the-secret');
  expect(events).toEqual(['hidden', 'Token: ', 'shown again', '\n']);
});

test.each([false, true])('a question may be interrupted, and left without an answer', async (isSecret) => {
  const { context } = typing('half\x03');
  expect(await ask('Go on? ', context, isSecret)).toBe('');
  expect(context.exit).toHaveBeenCalledExactlyOnceWith(130);
  expect(await ask('Go on? ', typing('').context, isSecret)).toBe('');
});

test.each([
  ['a\x1b[31mb\u009b1mc', 'a [31mb 1mc'],
  ['a\r\nb\u2028c\u2029d\u0085e', 'a b c d e'],
  ['a\u202eb\u202cc\u2066d\u2069e\u200bf\ufeffg', 'a b c d e f g'],
  ['Café Łódź, 日本 שלום é 👍', 'Café Łódź, 日本 שלום é 👍'],
])('text from elsewhere steers no terminal: %j', (text, shown) => {
  expect(withoutControlCharacters(text)).toBe(shown);
});
