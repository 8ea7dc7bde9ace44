import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { scriptOf } from '../scripts/commands.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const support = join(root, 'test/support');

/** Runs these tests by a Vitest of its own, since the end of this one is yet to come, and gives its output. */
async function runTests(tests: string): Promise<string> {
  const folder = mkdtempSync(join(root, 'node_modules/.cache/skipped-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'some.test.ts'),
    `import { describe, expect, test } from 'vitest';
     import { describeWith, program, testWith } from '${support}/requirements.ts';
     ${tests}`,
  );
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import { SkippedTests } from '${support}/skipped-tests.ts';
     export default { test: { include: ['*.test.ts'], exclude: [], reporters: ['default', new SkippedTests()] } };`,
  );
  const args = [scriptOf('vitest'), 'run', '--root', folder];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env.PATH, NO_COLOR: '1' },
  }).catch((error) => error);
  return stdout.trimEnd();
}

const LACKING = `
  describeWith(program('no-such-program', 'no-such-package'))('a', () => {
    describe('b', () => { test('c', () => {}); test('d', () => {}); });
  });
  testWith(program('node', 'nodejs'))('e', () => {});
  test('f', ({ skip }) => skip('a full moon.'));
  test.skip('left out on purpose, as by -t', () => {});`;

test('a run ends with what was skipped, and how to run it', async () => {
  const output = await runTests(LACKING);
  expect(output).toMatch(/1 passed \| 4 skipped/);
  expect(output.split('\n').slice(-3)).toEqual([
    'Skipped:',
    '  2 tests need no-such-program. On Debian: apt-get install no-such-package',
    '  1 test needs a full moon.',
  ]);
});

test('and then with what has failed', async () => {
  const output = await runTests(`${LACKING} test('g', () => expect(1).toBe(2));`);
  expect(output.split('\n').slice(-2)).toEqual(['Failed:', '  some.test.ts > g']);
});
