import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTokenSource, readToken } from '../../src/cli/token.ts';
import { makeFolder } from './export/support.ts';

const TOKEN = 'a-token-that-nobody-sees';

test('comes from the environment, or from the file that it names', async () => {
  const path = join(makeFolder(), 'token');
  writeFileSync(path, `${TOKEN}\n`);
  expect(await readToken({ RECEIVABLES_TOKEN: TOKEN }, 'host', undefined)).toBe(TOKEN);
  expect(await readToken({ RECEIVABLES_TOKEN_FILE: path }, 'host', undefined)).toBe(TOKEN);
});

test('is asked for at a terminal, without being shown', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(`${TOKEN}\r`);
  const terminal = { input, output, interrupt: () => expect.unreachable() };
  expect(await readToken({ RECEIVABLES_TOKEN: '' }, 'gateway.example', terminal)).toBe(TOKEN);
  expect(String(output.read())).toBe('Bearer token for gateway.example (not shown): \n');
});

test.each([
  [
    'is needed where nobody can be asked',
    {},
    'There is no token: set RECEIVABLES_TOKEN, or RECEIVABLES_TOKEN_FILE',
  ],
  [
    'has no line end',
    { RECEIVABLES_TOKEN: `${TOKEN}\n` },
    'The token contains a character that is not allowed',
  ],
  [
    'has no scheme',
    { RECEIVABLES_TOKEN: `Bearer ${TOKEN}` },
    'The token contains a character that is not allowed',
  ],
  [
    'comes from one place',
    { RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_TOKEN_FILE: '/x' },
    'RECEIVABLES_TOKEN and RECEIVABLES_TOKEN_FILE are both set: set one of them.',
  ],
])('%s', async (_what, env, message) => {
  const failure = await readToken(env, 'host', undefined).catch((error) => error);
  expect(failure).toMatchObject({ status: 2, message: expect.stringContaining(message) });
  expect(failure.message).not.toContain(TOKEN);
});

test('of a file that does not change is waited for no longer than a minute', async () => {
  const path = join(makeFolder(), 'token');
  writeFileSync(path, TOKEN);
  const tokens = await openTokenSource({ RECEIVABLES_TOKEN_FILE: path }, 'host', undefined);
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const renewed = tokens.renew(new AbortController().signal, () => {});
  vi.advanceTimersByTime(61_000);
  expect(await renewed).toBe(false);
});
