import { parseArgs } from 'node:util';

const COMMANDS = ['serve', 'doctor', 'config', 'print-schema', 'help'] as const;
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
  | ({ readonly command: 'doctor' } & DoctorOptions & SettingsOptions)
  | { readonly command: 'help'; readonly topic: Command };

/** A command line that cannot be parsed; the message is one sentence for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(problem: string) {
    super(`${problem}; see receivables-graphql --help.`);
  }
}

export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseOptions(args);
  const [name, ...others] = positionals;
  const command = name === undefined ? undefined : parseCommand(name);
  if (values.version) return { command: 'version' };
  if (command === 'help') return { command, topic: parseCommand(others[0] ?? 'help') };
  if (others[0] !== undefined) throw new UsageError(`${command} takes no argument '${others[0]}'`);
  if (values.help) return { command: 'help', topic: command ?? 'help' };

  return withOptions(command ?? 'serve', values);
}

function withOptions(command: Exclude<Command, 'help'>, values: Values): CommandLine {
  const { administration, yes = false, json = false, 'env-file': envFiles = [] } = values;
  if (command !== 'doctor' && administration !== undefined)
    throw new UsageError('--administration is for doctor alone');
  if (command !== 'doctor' && yes) throw new UsageError('--yes is for doctor alone');
  if (command !== 'config' && json) throw new UsageError('--json is for config alone');
  if (command === 'print-schema' && envFiles.length > 0)
    throw new UsageError('--env-file is for serve, doctor and config');
  switch (command) {
    case 'serve':
      return { command, envFiles };
    case 'doctor':
      if (administration === '') throw new UsageError('--administration takes an id');
      return { command, yes, envFiles, ...(administration !== undefined && { administration }) };
    case 'config':
      return { command, json, envFiles };
    case 'print-schema':
      return { command };
  }
}

function parseCommand(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate === name);
  if (command === undefined) throw new UsageError(`Unknown command '${name}'`);
  return command;
}

type Values = ReturnType<typeof parseOptions>['values'];

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
        administration: { type: 'string' },
        yes: { type: 'boolean' },
        json: { type: 'boolean' },
        'env-file': { type: 'string', multiple: true },
      },
    });
  } catch (error) {
    // Node appends hints on escaping arguments; only the first sentence says what is wrong.
    const [sentence = ''] = error instanceof TypeError ? error.message.split(/\.\s/) : [];
    if (sentence === '') throw error;
    throw new UsageError(sentence);
  }
}
