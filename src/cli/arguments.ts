import { parseArgs } from 'node:util';
import { OPTIONS, type OptionValues, readChangesOptions, readExportOptions } from './command-options.ts';
import { nearest, settingOf } from './environment.ts';
import { UsageError } from './failure.ts';

const COMMANDS = ['serve', 'doctor', 'config', 'export', 'changes', 'print-schema', 'help'] as const;
/** No command is as long. */
const MAX_NAME_LENGTH = 40;
export type Command = (typeof COMMANDS)[number];

export type CommandLine =
  | ReturnType<typeof withOptions>
  | { readonly command: 'version' }
  | { readonly command: 'help'; readonly topic: Command };

/** A command with what its line says. */
export type CommandOptions<Name extends Command> = Readonly<Extract<CommandLine, { command: Name }>>;

export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseOptions(args);
  const [name, argument, further] = positionals;
  const command = name === undefined ? undefined : parseCommand(name);
  if (values.version) return { command: 'version' };
  if (command === 'help') return { command, topic: parseCommand(argument ?? 'help') };
  const unexpected = command === 'export' ? further : argument;
  if (unexpected !== undefined) throw new UsageError(`${command} takes no argument '${unexpected}'`);
  if (values.help) return { command: 'help', topic: command ?? 'help' };
  return withOptions(command ?? 'serve', values, argument);
}

/** Where to read on after an error of usage: the help of the command, which lists its options. */
export function helpCommand(args: readonly string[]): string {
  const { positionals } = parseArgs({ args: [...args], strict: false, options: OPTIONS });
  const command = COMMANDS.find((candidate) => candidate === positionals[0]);
  return ['receivables-graphql', ...(command && command !== 'help' ? [command] : []), '--help'].join(' ');
}

function withOptions(command: Exclude<Command, 'help'>, values: OptionValues, argument: string | undefined) {
  for (const [option, taken] of Object.entries(OPTIONS)) {
    const of: readonly Command[] = 'of' in taken ? taken.of : COMMANDS;
    if (Reflect.get(values, option) === undefined || of.includes(command)) continue;
    const names = [of.slice(0, -1).join(', '), of.at(-1)].filter((text) => text !== '');
    throw new UsageError(`--${option} is only for ${names.join(' and ')}`);
  }
  const { administration, yes = false, json = false, 'env-file': envFiles = [] } = values;
  switch (command) {
    case 'serve':
      return { command, envFiles };
    case 'doctor':
      if (administration === '') throw new UsageError('--administration takes an id');
      return { command, yes, envFiles, administration };
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
  const meant = nearest(name.slice(0, MAX_NAME_LENGTH), COMMANDS, 1 / 3);
  throw new UsageError(`Unknown command '${name}'${meant ? ` (did you mean ${meant}?)` : ''}`);
}

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
