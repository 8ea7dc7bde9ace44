import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { askInputs, type PromptOptions } from '../../../src/cli/doctor/prompts.ts';

const QUESTION = /Use the credentials|Id of the administration|Bearer token/g;

/** Answers each question with the next of these lines, and returns what came of it and what was asked. */
async function answer(lines: readonly string[], prompt: Partial<PromptOptions> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked: string[] = [];
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    // A terminal writes a question again as it is answered.
    for (const question of shown.match(QUESTION) ?? []) {
      if (asked.includes(question)) continue;
      const line = lines[asked.length] ?? '';
      asked.push(question);
      // Once the question is asked, as people do.
      setImmediate(() => input.write(`${line}\r`));
    }
  });
  const inputs = await askInputs({
    yes: false,
    host: 'rest.example',
    given: undefined,
    hasApplication: true,
    output,
    terminal: { input, output, interrupt: vi.fn() },
    ...prompt,
  });
  return { inputs, asked, shown };
}

const PERMISSION = 'Use the credentials';
const ADMINISTRATION = 'Id of the administration';
const TOKEN = 'Bearer token';

describe('doctor asks', () => {
  test('for the token last, when all else is known', async () => {
    const { inputs, asked, shown } = await answer(['y', '1001', 'the-token']);
    expect(inputs).toEqual({ token: 'the-token', administration: '1001' });
    expect(asked).toEqual([PERMISSION, ADMINISTRATION, TOKEN]);
    expect(shown).not.toContain('the-token');
    expect(shown).toContain('(empty: the first that the token reaches)');
    expect(shown.indexOf('allow list')).toBeLessThan(shown.indexOf(PERMISSION));
  });

  test.each<[what: string, prompt: Partial<PromptOptions>, asked: string[], inputs: object]>([
    [
      'no administration where one is passed',
      { administration: '7' },
      [PERMISSION, TOKEN],
      { token: 'answer', administration: '7' },
    ],
    [
      'nothing but permission where the environment has the token',
      { given: 'given' },
      [PERMISSION],
      { token: 'given', administration: undefined },
    ],
    [
      'no permission with --yes',
      { yes: true },
      [ADMINISTRATION, TOKEN],
      { token: 'answer', administration: 'yes' },
    ],
    [
      'nothing with --yes and the token of the environment',
      { yes: true, given: 'given' },
      [],
      { token: 'given', administration: undefined },
    ],
    [
      'nothing without a terminal',
      { yes: true, terminal: undefined },
      [],
      { token: '', administration: undefined },
    ],
  ])('%s', async (_what, prompt, asked, inputs) => {
    expect(await answer(['yes', 'answer', 'answer'], prompt)).toMatchObject({ inputs, asked });
  });

  test('whether to go on, and for nothing more where it may not', async () => {
    const { inputs, asked } = await answer(['n']);
    expect(inputs).toEqual('No credential was used.');
    expect(asked).toEqual([PERMISSION]);
  });

  test('nothing without a terminal, but says how to permit it', async () => {
    const { inputs, asked } = await answer([], { terminal: undefined });
    expect(inputs).toEqual(expect.stringContaining('pass --yes'));
    expect(asked).toEqual([]);
  });

  test('after it has told what will not be checked without an application', async () => {
    const { inputs, shown } = await answer(['y', '', 'the-token'], { hasApplication: false });
    expect(inputs).toEqual({ token: 'the-token', administration: undefined });
    expect(shown.indexOf('REST_CLIENT_ID')).toBeGreaterThan(0);
    expect(shown.indexOf('REST_CLIENT_ID')).toBeLessThan(shown.indexOf(PERMISSION));
    expect((await answer(['n'])).shown).not.toContain('REST_CLIENT_ID');
  });
});
