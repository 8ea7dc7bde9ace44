import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OPTIONS } from '../../src/cli/arguments.ts';
import { getHelp } from '../../src/cli/help.ts';
import type { Setting } from '../../src/config/setting.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { gather } from '../support/processes.ts';
import { run, start } from './support.ts';

const root = new URL('../../', import.meta.url);
const { version, bin } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const COMMANDS = ['serve', 'doctor', 'config', 'export', 'changes', 'mcp', 'print-schema', 'help'] as const;

describe('help', () => {
  test.each(COMMANDS)('of %s is printed for its name and for --help, and fits a screen', async (command) => {
    const help = getHelp(command);
    const named = command === 'help' ? [] : [command];
    for (const args of [
      [...named, '--help'],
      ['-h', ...named],
      ['help', ...named],
    ])
      expect(await run(args)).toEqual({ status: 0, output: help, errors: '' });
    for (const option of Object.keys(OPTIONS[command])) expect(help).toContain(`--${option}`);
    expect(help.split('\n').length).toBeLessThan(60);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('lists every setting of config with its default', () => {
    for (const { name, help, default: text } of Object.values<Setting<unknown>>(SETTINGS)) {
      const [line] = new RegExp(`^  ${name} .*$`, 'm').exec(getHelp('config')) ?? [];
      expect(line).toContain(`${help}${typeof text === 'string' ? ` (${text})` : ''}`);
    }
  });

  test('does not load GraphQL', () => {
    expect(readWithImports(new URL('dist/main.js', root))).not.toContain('// node_modules/graphql/');
  });
});

test('--version prints the version of the package', async () => {
  expect(await run(['--version'])).toEqual({ status: 0, output: `${version}\n`, errors: '' });
  expect(bin).toEqual({ 'receivables-graphql': 'dist/main.js' });
  expect(readFileSync(new URL('dist/main.js', root), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('print-schema prints schema.graphql, and ends quietly when its reader stops', async () => {
  const schema = readFileSync(new URL('schema.graphql', root), 'utf8');
  expect(await run(['print-schema'])).toEqual({ status: 0, output: schema, errors: '' });
  // Only a process has a pipe that can be closed.
  const child = start(['print-schema']);
  const errors = gather(child.stderr);
  child.stdout?.destroy();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(errors()).toBe('');
});

test.each([
  ['nonsense', "Unknown command 'nonsense'", ''],
  ['--port 4000', "Unknown option '--port' (set the environment variable PORT instead)", ''],
  ['serve -x', "Unknown option '-x'", 'serve '],
  ['serve now', "Unexpected argument 'now'", 'serve '],
  ['doctor --jes', "Unknown option '--jes'", 'doctor '],
  ['doctor --administration', "Option '--administration <value>' argument missing", 'doctor '],
  ['export', 'export needs a file with a query', 'export '],
  ['export a b --out x.csv', "Unexpected argument 'b'", 'export '],
  ['changes', 'changes needs --administration with an id', 'changes '],
])('the invalid command `%s` ends with status 2 and a sentence', async (line, sentence, command) => {
  const errors = `${sentence}; see receivables-graphql ${command}--help.\n`;
  expect(await run(line.split(' '))).toEqual({ status: 2, output: '', errors });
});

/** The code of a module of the bundle, with that of each module that it imports statically. */
function readWithImports(module: URL): string {
  return readFileSync(module, 'utf8').replace(/^(?:import|.* from) "(\..*)";$/gm, (_, path) =>
    readWithImports(new URL(path, module)),
  );
}
