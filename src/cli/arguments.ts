import { parseArgs } from 'node:util';

const COMMANDS = ['serve', 'print-schema', 'doctor', 'help'] as const;
export type Command = (typeof COMMANDS)[number];

export interface DoctorOptions {
  /** The id of the administration to read from. */
  readonly administration?: string;
  /** Use the credentials without asking first. */
  readonly yes: boolean;
}

export type CommandLine =
  | { readonly command: 'serve' | 'print-schema' | 'version' }
  | ({ readonly command: 'doctor' } & DoctorOptions)
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

  const { administration, yes = false } = values;
  if (command === 'doctor') {
    if (administration === '') throw new UsageError('--administration takes an id');
    return { command, yes, ...(administration !== undefined && { administration }) };
  }
  if (administration !== undefined || yes) {
    throw new UsageError(
      `${administration === undefined ? '--yes' : '--administration'} is for doctor alone`,
    );
  }
  return { command: command ?? 'serve' };
}

function parseCommand(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate === name);
  if (command === undefined) throw new UsageError(`Unknown command '${name}'`);
  return command;
}

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
      },
    });
  } catch (error) {
    // Node appends hints on escaping arguments; only the first sentence says what is wrong.
    const [sentence = ''] = error instanceof TypeError ? error.message.split(/\.\s/) : [];
    if (sentence === '') throw error;
    throw new UsageError(sentence);
  }
}
