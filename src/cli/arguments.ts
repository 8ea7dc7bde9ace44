import { parseArgs } from 'node:util';
import { SETTING_NAMES } from './environment.ts';
import { UsageError } from './failure.ts';

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

/** What a command line says, by the names of the options. */
export type OptionValues<Name extends Command> = Parsed<Name>['values'];

type Parsed<Name extends Command> = ReturnType<
  typeof parseArgs<{ allowPositionals: boolean; options: (typeof OPTIONS)[Name] }>
>;

/** What is behind the name of a command. */
export function parseCommand<Name extends Command>(
  command: Name,
  args: readonly string[],
  allowPositionals = false,
): Parsed<Name> {
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
