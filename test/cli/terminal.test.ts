import { PassThrough, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { type CommandContext, prompt } from '../../src/cli/terminal.ts';

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

test('the prompt for a secret appears after the terminal has stopped showing input', async () => {
  const { events, context } = typing('the-x\x7fsecret \r');
  expect(await prompt('Token: ', context, { isSecret: true })).toBe('the-secret');
  expect(events).toEqual(['hidden', 'Token: ', 'shown again', '\n']);
});

test.each([false, true])('a prompt can be interrupted or closed without input: %j', async (isSecret) => {
  const { context } = typing('half\x03');
  expect(await prompt('Go on? ', context, { isSecret })).toBe('');
  expect(context.exit).toHaveBeenCalledExactlyOnceWith(130);
  expect(await prompt('Go on? ', typing('').context, { isSecret })).toBe('');
});
