import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { COMMANDS, OPTIONS } from '../../src/cli/arguments.ts';
import { helpOn } from '../../src/cli/help.ts';
import type { Setting } from '../../src/config/setting.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { compiledMain, gather } from '../support/processes.ts';
import { POSIX, testWith } from '../support/requirements.ts';
import { run, runProcess, start } from './support.ts';

const root = new URL('../../', import.meta.url);
const { version, bin } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** Prints on exit how many modules of graphql were loaded. */
const COUNT_MODULES = encodeURIComponent(`
  import { createRequire } from 'node:module';
  const { cache } = createRequire('file:///');
  process.on('exit', () => console.error(Object.keys(cache).filter((name) => /graphql/.test(name)).length));
`);

describe('help', () => {
  test.each([['--help'], ['-h'], ['help']])('is printed by %s', async (argument) => {
    expect(await run([argument])).toEqual({ status: 0, output: helpOn('help'), errors: '' });
  });

  test.each(COMMANDS)('of %s is printed by its name and --help', async (command) => {
    for (const args of [
      [command, '--help'],
      ['-h', command],
      ['help', command],
    ])
      expect(await run(args)).toEqual({ status: 0, output: helpOn(command), errors: '' });
  });

  test('of config has every setting with its default, and every help fits a screen', () => {
    for (const { name, help, default: text } of Object.values<Setting<unknown>>(SETTINGS)) {
      const [line] = new RegExp(`^  ${name} .*$`, 'm').exec(helpOn('config')) ?? [];
      expect(line).toContain(`${help}${typeof text === 'string' ? ` (${text})` : ''}`);
    }
    for (const lines of COMMANDS.map((command) => helpOn(command).split('\n'))) {
      expect(lines.length).toBeLessThan(60);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
  });

  test.each(COMMANDS.filter((name) => name !== 'help' && name !== 'serve'))(
    'of %s has all its options',
    (command) => {
      const own = Object.entries(OPTIONS).flatMap(([name, option]) => {
        const of: readonly string[] = 'of' in option ? option.of : [];
        return of.includes(command) ? `--${name}` : [];
      });
      const listed = helpOn(command).match(/^ {2}--[\w-]+/gm) ?? [];
      expect(listed.map((name) => name.trim()).sort()).toEqual(own.sort());
    },
  );

  test.each([
    ['--help', 0],
    ['--version', 0],
    ['print-schema', expect.toSatisfy((modules) => modules > 0)],
  ])('and the version load nothing that they do not need: %s', async (argument, modules) => {
    const env = { NODE_OPTIONS: `--import data:text/javascript,${COUNT_MODULES}` };
    // Only a process of its own has loaded nothing before.
    const { errors } = await runProcess([argument], env, compiledMain);
    expect(Number(errors)).toEqual(modules);
  });
});

test('the version is that of the package', async () => {
  expect(await run(['--version'])).toEqual({ status: 0, output: `${version}\n`, errors: '' });
});

test('the package offers it as a command', () => {
  expect(bin).toEqual({ 'receivables-graphql': 'dist/main.js' });
  expect(readFileSync(new URL('dist/main.js', root), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

describe('print-schema', () => {
  test('prints what schema.graphql holds', async () => {
    const { status, output, errors } = await run(['print-schema']);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toBe(readFileSync(new URL('schema.graphql', root), 'utf8'));
  });

  test('ends quietly when nobody reads on', async () => {
    // Only a process has a pipe that can be closed.
    const child = start(['print-schema']);
    const errors = gather(child.stderr);
    child.stdout?.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(errors()).toBe('');
  });
});

testWith(POSIX)('a full disk behind standard output is told in a sentence', async () => {
  // Only a process writes to a file that the shell has opened.
  const args = ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, inject('bundledMain'), '--help'];
  const failure = await promisify(execFile)('sh', args).catch((error) => error);
  expect({ code: failure.code, stderr: failure.stderr }).toEqual({
    code: 1,
    stderr: 'Standard output: ENOSPC: no space left on device, write.\n',
  });
});

describe('what cannot be understood ends with status 2 and a sentence', () => {
  test.each([
    [['nonsense'], "Unknown command 'nonsense'; see receivables-graphql --help."],
    [['exprot'], "Unknown command 'exprot' (did you mean export?); see receivables-graphql --help."],
    [
      ['--port', '4000'],
      "Unknown option '--port' (set the environment variable PORT instead); see receivables-graphql --help.",
    ],
    [['--nonsense'], "Unknown option '--nonsense'; see receivables-graphql --help."],
    [['serve', '-x'], "Unknown option '-x'; see receivables-graphql serve --help."],
    [['serve', 'now'], "serve takes no argument 'now'; see receivables-graphql serve --help."],
    [['serve', '--yes'], '--yes is only for doctor; see receivables-graphql serve --help.'],
    [
      ['--administration', '1'],
      '--administration is only for doctor and changes; see receivables-graphql --help.',
    ],
    [['doctor', '--json'], '--json is only for config; see receivables-graphql doctor --help.'],
    [
      ['print-schema', `--env-file=${fileURLToPath(import.meta.url)}`],
      '--env-file is only for serve, doctor and config; see receivables-graphql print-schema --help.',
    ],
    [['doctor', '--administration='], '--administration takes an id; see receivables-graphql doctor --help.'],
    [
      ['doctor', '--administration'],
      "Option '--administration <value>' argument missing; see receivables-graphql doctor --help.",
    ],
    [['export'], 'export needs a file with a query; see receivables-graphql export --help.'],
    [['export', 'a', 'b'], "export takes no argument 'b'; see receivables-graphql export --help."],
    [['export', 'a', '--token', 'x'], "Unknown option '--token'; see receivables-graphql export --help."],
    [['changes'], 'changes needs --administration with an id; see receivables-graphql changes --help.'],
    [['serve', '--url', 'x'], '--url is only for export and changes; see receivables-graphql serve --help.'],
    [['--help=yes'], "Option '-h, --help' does not take an argument; see receivables-graphql --help."],
  ])('%j', async (args, sentence) => {
    expect(await run(args)).toEqual({ status: 2, output: '', errors: `${sentence}\n` });
  });

  test('as the status of the process', async () => {
    expect(await runProcess(['nonsense'])).toEqual({
      status: 2,
      output: '',
      errors: "Unknown command 'nonsense'; see receivables-graphql --help.\n",
    });
  });
});
