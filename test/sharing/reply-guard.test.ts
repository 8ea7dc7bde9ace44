import { expect, test } from 'vitest';
import { ReplyGuard } from '../../src/sharing/reply-guard.ts';

const HELLO =
  '%2\r\n$5\r\nproto\r\n:3\r\n$7\r\nmodules\r\n*1\r\n%2\r\n$4\r\nname\r\n$1\r\nx\r\n$4\r\nargs\r\n*1\r\n_\r\n';
const MESSAGE = '>3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$3\r\na\r\n\r\n';

/** Whether a guard lets all of it through, however it arrives. */
function isAccepted(text: string): boolean {
  const bytes = Buffer.from(text);
  const isWhole = new ReplyGuard().accepts(bytes);
  const guard = new ReplyGuard();
  expect(Array.from(bytes, (byte) => guard.accepts(Buffer.of(byte))).includes(false)).toBe(!isWhole);
  return isWhole;
}

test.each([
  ['the reply to HELLO', ''],
  ['OK', '+OK\r\n'],
  ['an error', '-NOPERM no\r\n'],
  ['numbers', ':1\r\n:-1\r\n'],
  ['texts', '$0\r\n\r\n$2\r\n\r\n\r\n'],
  ['numbers in an array', '*3\r\n:1\r\n:2\r\n:59999\r\n'],
  ['a message', MESSAGE],
  ['a confirmed subscription', '>3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n'],
  ['several', `+OK\r\n${MESSAGE}*1\r\n:1\r\n${MESSAGE}$1\r\na\r\n`],
])('%s may come', (_what, text) => {
  expect(isAccepted(HELLO + text)).toBe(true);
});

test.each([
  ['null', '_\r\n'],
  ['null as RESP 2 has it', '$-1\r\n'],
  ['an array that is null', '*-1\r\n'],
  ['an empty array', '*0\r\n'],
  ['null in an array', '*1\r\n_\r\n'],
  ['a text in an array', '*1\r\n$1\r\na\r\n'],
  ['an array in an array', '*1\r\n*1\r\n:1\r\n'],
  ['a map after HELLO', '%1\r\n$1\r\na\r\n:1\r\n'],
  ['a push of one value', '>1\r\n$1\r\na\r\n'],
  ['a push that begins with null', '>3\r\n_\r\n$1\r\na\r\n:1\r\n'],
  ['a message from nowhere', '>3\r\n$7\r\nmessage\r\n_\r\n$1\r\na\r\n'],
  ['a message of null', '>3\r\n$7\r\nmessage\r\n$1\r\na\r\n_\r\n'],
  ['a long array', '*1001\r\n'],
  ['a huge text', '$32000001\r\n'],
  ['a number without an end', ':1111111111111111111'.padEnd(70_000, '1')],
  ['a line without an end', '+'.padEnd(70_000, 'x')],
  ['a return within a line', '+a\rb_\r\n'],
  ['a line that ends early', '+OK\n'],
  ['types that are not in use', '#t\r\n'],
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n'],
  ['an empty line', '\r\n'],
])('%s may not', (_what, text) => {
  expect(isAccepted(HELLO + text)).toBe(false);
});

test('what HELLO is answered has a bound, too', () => {
  expect(isAccepted(`%1\r\n$1\r\na\r\n${'*1\r\n'.repeat(2_000)}`)).toBe(false);
  expect(isAccepted('%2\r\n'.repeat(1_000))).toBe(false);
});
