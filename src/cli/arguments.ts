import { parseArgs } from 'node:util';
import { SETTING_NAMES } from './environment.ts';
import { UsageError } from './failure.ts';
import type { CommandContext } from './terminal.ts';

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const FILES = { type: 'string', multiple: true } as const;

/** Every command with the options that it takes, besides --help. help.ts tells what they mean. */
export const OPTIONS = {
  serve: { 'env-file': FILES },
  doctor: { administration: TEXT, yes: FLAG, 'env-file': FILES },
  config: { json: FLAG, 'env-file': FILES },
  export: {
    ...{ out: TEXT, format: TEXT, variables: TEXT, operation: TEXT, url: TEXT, resume: FLAG, quiet: FLAG },
    ...{ separator: TEXT, decimal: TEXT, bom: FLAG, formulas: FLAG },
  },
  changes: {
    ...{ administration: TEXT, kinds: TEXT, fields: TEXT, since: TEXT, after: TEXT, state: TEXT },
    ...{ url: TEXT, quiet: FLAG, 'print-query': FLAG },
  },
  'print-schema': {},
  help: {},
} as const;

export type Command = keyof typeof OPTIONS;

export function isCommand(name: string): name is Command {
  return Object.hasOwn(OPTIONS, name);
}

/** What is behind the name of a command: values by the names of the options, and positionals. */
export type Given<Name extends Command> = ReturnType<
  typeof parseArgs<{ allowPositionals: true; options: (typeof OPTIONS)[Name] }>
>;

/** What runs a command, and tells its exit status. */
export type CommandRun<Name extends Command> = (
  given: Given<Name>,
  context: CommandContext,
) => number | Promise<number>;

export function parseCommand<Name extends Command>(command: Name, args: readonly string[]): Given<Name> {
  const allowPositionals = command === 'export' || command === 'help';
  try {
    return parseArgs({ args: [...args], allowPositionals, options: OPTIONS[command] });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node appends hints on escaping arguments; only the first sentence says what is wrong.
    const [sentence = ''] = error.message.split(/\.\s/);
    const [, option = ''] = /^Unknown option '--([\w-]+)'/.exec(sentence) ?? [];
    const name = option.replaceAll('-', '_').toUpperCase();
    const hint = SETTING_NAMES.includes(name) ? ` (set the environment variable ${name} instead)` : '';
    throw new UsageError(`${sentence}${hint}`);
  }
}
