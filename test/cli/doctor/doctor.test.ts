import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { gather } from '../../support/processes.ts';
import type { DemoService } from '../../support/rest-service.mjs';
import { run, start, TextOutput } from '../support.ts';
import { rows, runDoctor, startRest, TOKEN, tokens } from './support.ts';

/** The calls that carried a credential. */
function callsWithCredentials(rest: DemoService) {
  return rest.calls.filter(({ headers }) => headers.authorization !== undefined);
}

describe('doctor', () => {
  test('without REST_URL shows what it does, over the embedded service', async () => {
    const { status, output, errors } = await run(['doctor']);
    expect(errors).toBe('');
    expect(status).toBe(0);
    const first = ['configuration', 'reachable', 'application', 'administration', 'debtors'];
    expect(rows(output).slice(0, 5)).toEqual(first.map((check) => `✓ ${check}`));
    expect(output).toContain('REST_URL is embedded: doctor checks the embedded service');
    expect(output).toContain('24 passed, 0 faults.');
    expect(output).not.toContain('\x1b');
  });

  test('begins and ends with a configuration that is faulty', async () => {
    const { status, output, errors } = await run(['doctor', '--yes'], {
      PORT: 'x',
      REST_URL: 'nowhere',
      ...TOKEN,
    });
    expect({ status, errors }).toEqual({ status: 1, errors: '' });
    expect(rows(output)).toEqual(['✗ configuration', '✗ configuration']);
    expect(output).toContain('REST_URL takes an address');
    expect(output).toContain('PORT takes a whole number');
  });

  test('ends quietly with 130 when it is interrupted', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'hang', match: { path: '/v1/payments/deleted' } });
    const env = { REST_URL: rest.url, ...TOKEN };
    // Only a process gets a signal.
    const child = start(['doctor', '--yes', '--administration', '1001'], env);
    const output = gather(child.stdout);
    await eventually(() => expect(output()).toContain('reads from'));
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(output()).not.toMatch(/ at |Error/);
  });
});

describe('no credential is used', () => {
  test('where nobody can be asked', async () => {
    const rest = await startRest();
    const { status, output } = await runDoctor(rest, []);
    expect(status).toBe(1);
    expect(rows(output)).toEqual(['✓ configuration', '✓ reachable']);
    expect(output).toContain('No credential was used, since there is no terminal to ask at: pass --yes');
    expect(rest.calls).toHaveLength(1);
    expect(callsWithCredentials(rest)).toEqual([]);
  });

  test.each([
    ['where none is given', {}, 'not given'],
    ['where it cannot be one', { DOCTOR_TOKEN: 'Bearer kept-to-itself' }, 'a character that no token has'],
  ])('%s', async (_where, env, found) => {
    const rest = await startRest();
    const { status, output, errors } = await runDoctor(rest, ['--yes'], env);
    expect(status).toBe(1);
    expect(rows(output).at(-1)).toBe('✗ token');
    expect(output).toContain(found);
    expect(output + errors).not.toContain('kept-to-itself');
    expect(callsWithCredentials(rest)).toEqual([]);
  });
});

describe('at a terminal, doctor asks', () => {
  const QUESTION = /Use the credentials|Id of the administration|Bearer token/g;
  const ALL = ['Use the credentials', 'Id of the administration', 'Bearer token'];
  const [PERMISSION, ADMINISTRATION, BEARER] = ALL;

  /** Answers each question with the next of these lines, and returns what was asked. */
  async function answer(
    lines: readonly string[],
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ) {
    const rest = await startRest();
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const asked: string[] = [];
    const stderr = new TextOutput((shown) => {
      // A terminal writes a question again as it is answered.
      for (const question of shown.match(QUESTION) ?? []) {
        if (asked.includes(question)) continue;
        const line = lines[asked.length] ?? '';
        asked.push(question);
        // Once the question is asked, as people do.
        setImmediate(() => stdin.write(`${line}\r`));
      }
    });
    const result = await run(['doctor', ...args], { REST_URL: rest.url, ...env }, { stdin, stderr });
    return { asked, isUsed: callsWithCredentials(rest).length > 0, ...result };
  }

  test('for the token last, when all else is known, and does not show it', async () => {
    const { asked, status, output, errors } = await answer(['y', '1001', tokens.companyA]);
    expect(asked).toEqual(ALL);
    expect(status).toBe(0);
    expect(output + errors).not.toContain(tokens.companyA);
    expect(errors.indexOf('allow list')).toBeLessThan(errors.indexOf(`${PERMISSION}`));
  });

  test.each<[what: string, args: string[], env: Record<string, string>, asked: (string | undefined)[]]>([
    ['no administration where one is passed', ['--administration', '1001'], {}, [PERMISSION, BEARER]],
    ['nothing but permission where the environment has the token', [], TOKEN, [PERMISSION]],
    ['no permission with --yes', ['--yes'], {}, [ADMINISTRATION, BEARER]],
    ['nothing with --yes and the token of the environment', ['--yes'], TOKEN, []],
  ])('%s', async (_what, args, env, asked) => {
    expect((await answer(['yes', tokens.companyA, tokens.companyA], args, env)).asked).toEqual(asked);
  });

  test('whether to go on, and for nothing more where it may not', async () => {
    expect(await answer(['n'])).toMatchObject({ asked: [PERMISSION], isUsed: false, status: 1 });
  });
});

test('a report is coloured at a terminal, fits it, and lets no words of the service steer it', async () => {
  const rest = await startRest();
  const message = 'It said: \x1b[2J\x1b]0;x\x07gone\u009b31m\r\nhere';
  const body = JSON.stringify({ code: 'x', message });
  rest.misbehave({ kind: 'status', match: { path: '/v1/payments/deleted' }, status: 400, body });
  const stdout = Object.assign(new TextOutput(), { isTTY: true, columns: 60 });
  const { output } = await run(
    ['doctor', '--yes', '--administration', '1001'],
    { REST_URL: rest.url, ...TOKEN },
    { stdout },
  );
  expect(output).toContain('\x1b[31m✗\x1b[39m deletedPayments');
  expect(output).toMatch(/It said: \[2J \]0;x gone 31m\n? *here/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room.
  const lines = output.replace(/\x1b\[\d+m/g, '').split('\n');
  expect(lines.filter((line) => line.length > 60 && !line.includes('REST_PARAMETER_NAMES='))).toEqual([]);
});
