import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { gather } from '../../support/processes.ts';
import { startRest } from '../../support/resources.ts';
import type { DemoService } from '../../support/rest-service.mjs';
import { run, start, TextOutput } from '../support.ts';
import { rows, runDoctor, TOKEN, tokens } from './support.ts';

function callsWithCredentials(rest: DemoService) {
  return rest.calls.filter(({ headers }) => headers.authorization !== undefined);
}

describe('doctor', () => {
  test('checks the embedded service as an example if REST_URL is not set', async () => {
    const { status, output, errors } = await run(['doctor']);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    const first = ['configuration', 'reachable', 'application', 'administration', 'debtors'];
    expect(rows(output).slice(0, 5)).toEqual(first.map((check) => `✓ ${check}`));
    expect(output).toContain('REST_URL is embedded: doctor checks the embedded service as an example');
    expect(output).toContain('24 passed, 0 failed, 0 warnings, 0 skipped.');
    expect(output).not.toContain('\x1b');
  });

  test('reports only the errors of an invalid configuration', async () => {
    const { status, output } = await run(['doctor', '--yes'], { PORT: 'x', REST_URL: 'nowhere', ...TOKEN });
    expect(status).toBe(1);
    expect(rows(output)).toEqual(['✗ configuration', '✗ configuration']);
    expect(output).toContain('REST_URL takes an address');
  });

  test('ends quietly with status 130 when it is interrupted', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'hang', match: { path: '/v1/payments/deleted' } });
    // Only a process gets a signal.
    const child = start(['doctor', '--yes', '--administration', '1001'], { REST_URL: rest.url, ...TOKEN });
    const output = gather(child.stdout);
    await eventually(() => expect(output()).toContain('reads from'));
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(output()).not.toMatch(/ at |Error/);
  });
});

test.each([
  ['without a terminal to ask at', [], TOKEN, 'there is no terminal to ask at', '✓ reachable'],
  ['without a token', ['--yes'], {}, 'missing, or', '✗ token'],
  [
    'if the token is invalid',
    ['--yes'],
    { DOCTOR_TOKEN: 'Bearer x' },
    'a character that is not allowed',
    '✗ token',
  ],
])('doctor uses no credential %s', async (_where, args, env, says, last) => {
  const rest = await startRest();
  const { status, output } = await runDoctor(rest, args, env);
  expect(status).toBe(1);
  expect(rows(output).at(-1)).toBe(last);
  expect(output).toContain(says);
  expect(callsWithCredentials(rest)).toEqual([]);
});

describe('doctor at a terminal', () => {
  const QUESTION = /Use the credentials|Id of the administration|Bearer token/g;
  const ALL = ['Use the credentials', 'Id of the administration', 'Bearer token'];
  const [PERMISSION, ADMINISTRATION, BEARER] = ALL;

  /** Answers each question with the next of these lines, and returns what was asked. */
  async function answer(lines: readonly string[], args: readonly string[] = [], env = {}) {
    const rest = await startRest();
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const asked: string[] = [];
    const stderr = new TextOutput((shown) => {
      // A terminal writes a question again as it is answered.
      for (const question of shown.match(QUESTION) ?? []) {
        if (asked.includes(question)) continue;
        const line = lines[asked.length] ?? '';
        asked.push(question);
        // Answer after the question, as people do.
        setImmediate(() => stdin.write(`${line}\r`));
      }
    });
    const result = await run(['doctor', ...args], { REST_URL: rest.url, ...env }, { stdin, stderr });
    return { asked, isUsed: callsWithCredentials(rest).length > 0, ...result };
  }

  test('prompts for the token after all other checks that need no token, and does not show it', async () => {
    const { asked, status, output, errors } = await answer(['y', '1001', tokens.companyA]);
    expect({ asked, status }).toEqual({ asked: ALL, status: 0 });
    expect(output + errors).not.toContain(tokens.companyA);
    expect(errors.indexOf('allow list')).toBeLessThan(errors.indexOf(`${PERMISSION}`));
  });

  test.each<[args: string[], env: object, asked: unknown[]]>([
    [['--administration', '1001'], {}, [PERMISSION, BEARER]],
    [[], TOKEN, [PERMISSION]],
    [['--yes'], {}, [ADMINISTRATION, BEARER]],
    [['--yes'], TOKEN, []],
  ])('with %j and %j prompts only for what is missing', async (args, env, asked) => {
    expect((await answer(['yes', tokens.companyA, tokens.companyA], args, env)).asked).toEqual(asked);
  });

  test('prompts for nothing more if it may not continue', async () => {
    expect(await answer(['n'])).toMatchObject({ asked: [PERMISSION], isUsed: false, status: 1 });
  });
});

test('doctor colors a report, fits it to the terminal, and removes control characters', async () => {
  const rest = await startRest();
  const body = JSON.stringify({ code: 'x', message: 'It said: \x1b[2J\x1b]0;x\x07gone\u009b31m\r\nhere' });
  rest.misbehave({ kind: 'status', match: { path: '/v1/payments/deleted' }, status: 400, body });
  const stdout = Object.assign(new TextOutput(), { isTTY: true, columns: 60 });
  const args = ['doctor', '--yes', '--administration', '1001'];
  const { output } = await run(args, { REST_URL: rest.url, ...TOKEN }, { stdout });
  expect(output).toContain('\x1b[31m✗\x1b[39m deletedPayments');
  expect(output).toMatch(/It said: \[2J \]0;x gone 31m\n? *here/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room.
  const lines = output.replace(/\x1b\[\d+m/g, '').split('\n');
  expect(lines.filter((line) => line.length > 60 && !line.includes('REST_PARAMETER_NAMES='))).toEqual([]);
});
