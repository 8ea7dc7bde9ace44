import { parseArgs } from 'node:util';
import {
  type ChangesOptions,
  type ExportOptions,
  readChangesOptions,
  readExportOptions,
} from './command-options.ts';
import { nearest, settingOf } from './environment.ts';
import { UsageError } from './failure.ts';

const COMMANDS = ['serve', 'doctor', 'config', 'export', 'changes', 'print-schema', 'help'] as const;
/** No command is as long. */
const MAX_NAME_LENGTH = 40;
export type Command = (typeof COMMANDS)[number];

/** Commands that read settings, also from files. */
export interface SettingsOptions {
  /** Files of environment variables, of which later ones win. */
  readonly envFiles: readonly string[];
}

export interface DoctorOptions {
  /** The id of the administration to read from. */
  readonly administration?: string;
  /** Use the credentials without asking first. */
  readonly yes: boolean;
}

export interface ConfigOptions extends SettingsOptions {
  readonly json: boolean;
}

export type CommandLine =
  | { readonly command: 'print-schema' | 'version' }
  | ({ readonly command: 'serve' } & SettingsOptions)
  | ({ readonly command: 'config' } & ConfigOptions)
  | ({ readonly command: 'export' } & ExportOptions)
  | ({ readonly command: 'changes' } & ChangesOptions)
  | ({ readonly command: 'doctor' } & DoctorOptions & SettingsOptions)
  | { readonly command: 'help'; readonly topic: Command };

export { UsageError };

export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseOptions(args);
  const [name, ...others] = positionals;
  const command = name === undefined ? undefined : parseCommand(name);
  if (values.version) return { command: 'version' };
  if (command === 'help') return { command, topic: parseCommand(others[0] ?? 'help') };
  const [, unexpected] = command === 'export' ? others : [undefined, ...others];
  if (unexpected !== undefined) throw new UsageError(`${command} takes no argument '${unexpected}'`);
  if (values.help) return { command: 'help', topic: command ?? 'help' };

  return withOptions(command ?? 'serve', values, others[0]);
}

/** Where to read on after an error of usage: the help of the command, which lists its options. */
export function helpCommand(args: readonly string[]): string {
  const { positionals } = parseArgs({ args: [...args], strict: false, options: OPTIONS });
  const command = COMMANDS.find((candidate) => candidate === positionals[0]);
  return ['receivables-graphql', ...(command && command !== 'help' ? [command] : []), '--help'].join(' ');
}

/** The commands that take an option; help takes them all, and prints itself. */
const TAKEN_BY: { readonly [option in keyof Values]?: readonly Command[] } = {
  administration: ['doctor', 'changes'],
  yes: ['doctor'],
  json: ['config'],
  'env-file': ['serve', 'doctor', 'config'],
  variables: ['export'],
  operation: ['export'],
  out: ['export'],
  format: ['export'],
  url: ['export', 'changes'],
  resume: ['export'],
  quiet: ['export', 'changes'],
  separator: ['export'],
  bom: ['export'],
  formulas: ['export'],
  kinds: ['changes'],
  fields: ['changes'],
  since: ['changes'],
  after: ['changes'],
  state: ['changes'],
  'print-query': ['changes'],
};

function withOptions(
  command: Exclude<Command, 'help'>,
  values: Values,
  argument: string | undefined,
): CommandLine {
  for (const [option, commands] of Object.entries(TAKEN_BY)) {
    if (Reflect.get(values, option) === undefined || commands.includes(command)) continue;
    const [last, ...others] = commands.toReversed();
    const names = others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
    throw new UsageError(`--${option} is only for ${names}`);
  }
  const { administration, yes = false, json = false, 'env-file': envFiles = [] } = values;
  switch (command) {
    case 'serve':
      return { command, envFiles };
    case 'doctor':
      if (administration === '') throw new UsageError('--administration takes an id');
      return { command, yes, envFiles, ...(administration !== undefined && { administration }) };
    case 'config':
      return { command, json, envFiles };
    case 'export':
      return { command, ...readExportOptions(argument, values) };
    case 'changes':
      return { command, ...readChangesOptions(values) };
    case 'print-schema':
      return { command };
  }
}

function parseCommand(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate === name);
  if (command !== undefined) return command;
  const meant = nearest(name.slice(0, MAX_NAME_LENGTH), COMMANDS);
  throw new UsageError(`Unknown command '${name}'${meant ? ` (did you mean ${meant}?)` : ''}`);
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  administration: { type: 'string' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  'env-file': { type: 'string', multiple: true },
  variables: { type: 'string' },
  operation: { type: 'string' },
  out: { type: 'string' },
  format: { type: 'string' },
  url: { type: 'string' },
  resume: { type: 'boolean' },
  quiet: { type: 'boolean' },
  separator: { type: 'string' },
  bom: { type: 'boolean' },
  formulas: { type: 'boolean' },
  kinds: { type: 'string' },
  fields: { type: 'string' },
  since: { type: 'string' },
  after: { type: 'string' },
  state: { type: 'string' },
  'print-query': { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseOptions>['values'];

function parseOptions(args: readonly string[]) {
  const { values, positionals, tokens } = tokensOf(args);
  const names = tokens.flatMap((token) => (token.kind === 'option' ? token.name : []));
  const doubled = names.find((name, index) => name !== 'env-file' && names.indexOf(name) < index);
  if (doubled !== undefined) throw new UsageError(`--${doubled} is given twice`);
  return { values, positionals };
}

function tokensOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, tokens: true, options: OPTIONS });
  } catch (error) {
    // Node appends hints on escaping arguments; only the first sentence says what is wrong.
    const [sentence = ''] = error instanceof TypeError ? error.message.split(/\.\s/) : [];
    if (sentence === '') throw error;
    const setting = settingOf(/^Unknown option '(--[\w-]+)'/.exec(sentence)?.[1] ?? '');
    throw new UsageError(
      setting ? `${sentence} (set the environment variable ${setting} instead)` : sentence,
    );
  }
}
