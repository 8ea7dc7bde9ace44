import { parseArgs } from 'node:util';
import type { ExportRequest } from '../export/export-request.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { nearest, settingOf } from './environment.ts';
import { UsageError } from './failure.ts';

const COMMANDS = ['serve', 'doctor', 'config', 'export', 'changes', 'print-schema', 'help'] as const;
export type Command = (typeof COMMANDS)[number];

/** Every option, and the commands that take it: all, where none are named. */
const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  administration: { type: 'string', of: ['doctor', 'changes'] },
  yes: { type: 'boolean', default: false, of: ['doctor'] },
  json: { type: 'boolean', default: false, of: ['config'] },
  'env-file': { type: 'string', multiple: true, of: ['serve', 'doctor', 'config'] },
  variables: { type: 'string', default: '{}', of: ['export'] },
  operation: { type: 'string', of: ['export'] },
  out: { type: 'string', of: ['export'] },
  format: { type: 'string', of: ['export'] },
  url: { type: 'string', of: ['export', 'changes'] },
  resume: { type: 'boolean', default: false, of: ['export'] },
  quiet: { type: 'boolean', default: false, of: ['export', 'changes'] },
  separator: { type: 'string', default: ',', of: ['export'] },
  decimal: { type: 'string', default: '.', of: ['export'] },
  bom: { type: 'boolean', default: false, of: ['export'] },
  formulas: { type: 'boolean', default: false, of: ['export'] },
  kinds: { type: 'string', of: ['changes'] },
  fields: { type: 'string', of: ['changes'] },
  since: { type: 'string', of: ['changes'] },
  after: { type: 'string', of: ['changes'] },
  state: { type: 'string', of: ['changes'] },
  'print-query': { type: 'boolean', default: false, of: ['changes'] },
} as const;

export type CommandLine =
  | ReturnType<typeof withOptions>
  | { readonly command: 'version' }
  | { readonly command: 'help'; readonly topic: Command };

/** A command with what its line says. */
export type CommandOptions<Name extends Command> = Readonly<Extract<CommandLine, { command: Name }>>;

export function readCommandLine(args: readonly string[]): CommandLine {
  const given = parseOptions(args);
  const [name, argument, further] = given.positionals;
  const command = name === undefined ? undefined : parseCommand(name);
  if (given.values.version) return { command: 'version' };
  if (command === 'help') return { command, topic: parseCommand(argument ?? 'help') };
  const unexpected = command === 'export' ? further : argument;
  if (unexpected !== undefined) throw new UsageError(`${command} takes no argument '${unexpected}'`);
  if (given.values.help) return { command: 'help', topic: command ?? 'help' };
  return withOptions(command ?? 'serve', given);
}

/** Where to read on after an error of usage: the help of the command, which lists its options. */
export function helpCommand(args: readonly string[]): string {
  const { positionals } = parseArgs({ args: [...args], strict: false, options: OPTIONS });
  const command = COMMANDS.find((candidate) => candidate === positionals[0]);
  return ['receivables-graphql', ...(command && command !== 'help' ? [command] : []), '--help'].join(' ');
}

function parseCommand(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate === name);
  if (command !== undefined) return command;
  const meant = nearest(name, COMMANDS, 1 / 3);
  throw new UsageError(`Unknown command '${name}'${meant ? ` (did you mean ${meant}?)` : ''}`);
}

/** What the command line says, with the names of the options that it gives. */
type Given = ReturnType<typeof parseOptions>;

function parseOptions(args: readonly string[]) {
  const { values, positionals, tokens } = tokensOf(args);
  const names: string[] = tokens.flatMap((token) => (token.kind === 'option' ? token.name : []));
  const doubled = names.find((name, index) => name !== 'env-file' && names.indexOf(name) < index);
  if (doubled !== undefined) throw new UsageError(`--${doubled} is given twice`);
  return { values, positionals, names };
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

function withOptions(command: Exclude<Command, 'help'>, given: Given) {
  for (const [option, taken] of Object.entries(OPTIONS)) {
    const of: readonly Command[] = 'of' in taken ? taken.of : COMMANDS;
    if (!given.names.includes(option) || of.includes(command)) continue;
    throw new UsageError(`--${option} is only for ${new Intl.ListFormat('en-GB').format(of)}`);
  }
  const { administration, yes, json, 'env-file': envFiles = [] } = given.values;
  switch (command) {
    case 'serve':
      return { command, envFiles };
    case 'doctor':
      if (administration === '') throw new UsageError('--administration takes an id');
      return { command, yes, envFiles, administration };
    case 'config':
      return { command, json, envFiles };
    case 'export':
      return { command, ...readExportOptions(given) };
    case 'changes':
      return { command, ...readChangesOptions(given) };
    case 'print-schema':
      return { command };
  }
}

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;
const SEPARATORS: { readonly [name: string]: string } = { ',': ',', ';': ';', tab: '\t' };
const CSV_OPTIONS = ['separator', 'decimal', 'bom', 'formulas'];

/** With `formulas`, texts that a spreadsheet would run as such are left as they are. */
export type CsvOptions = Pick<ExportRequest, 'separator' | 'decimal' | 'bom'> & {
  readonly formulas: boolean;
};

function readExportOptions({ values, positionals: [, document], names }: Given) {
  const { operation, out, url, separator, decimal, resume, quiet, bom, formulas } = values;
  if (document === undefined) throw new UsageError('export needs a file with a query');
  if (!out) throw new UsageError('export needs --out with a file, or - for standard output');
  const format = formatOf(out, values.format);
  const csvOption = CSV_OPTIONS.find((name) => names.includes(name));
  if (format !== 'csv' && csvOption) throw new UsageError(`--${csvOption} is only for CSV`);
  if (!Object.hasOwn(SEPARATORS, separator)) throw new UsageError("--separator takes a comma, ';' or tab");
  if (decimal !== '.' && decimal !== ',') throw new UsageError('--decimal takes a point or a comma');
  if (out === '-' && resume) throw new UsageError('--resume needs a file as --out');
  if (out === '-' && format === 'parquet') throw new UsageError('Parquet needs a file as --out');
  const isCompressed = out.endsWith('.gz');
  if (isCompressed && format === 'parquet')
    throw new UsageError('Parquet is compressed already: leave out .gz');
  const csv: CsvOptions = { separator: SEPARATORS[separator] ?? ',', decimal, bom, formulas };
  const variables = parseJson(values.variables);
  if (!isObject(variables)) throw new UsageError('--variables takes a JSON object');
  // Undefined for standard output; and `url` for that of the environment.
  const file = out === '-' ? undefined : out;
  return { document, variables, operation, out: file, format, isCompressed, csv, url, resume, quiet };
}

function formatOf(out: string, given: string | undefined): (typeof FORMATS)[number] {
  const name = given ?? (out === '-' ? 'ndjson' : /\.(\w+?)(\.gz)?$/.exec(out)?.[1]);
  const format = FORMATS.find((candidate) => candidate === name);
  if (format) return format;
  throw new UsageError(
    given === undefined
      ? '--out takes a file that ends in .csv, .ndjson, .parquet, .csv.gz or .ndjson.gz; otherwise give --format'
      : '--format takes csv, ndjson or parquet',
  );
}

function readChangesOptions({ values }: Given) {
  const { administration = '', fields, state, url, quiet, 'print-query': printsQuery } = values;
  if (administration === '' && !printsQuery)
    throw new UsageError('changes needs --administration with an id');
  if (state === '') throw new UsageError('--state takes a file');
  if (fields?.trim() === '') throw new UsageError('--fields takes names of fields, as in GraphQL');
  const kinds = values.kinds?.split(',').map((kind) => kind.trim());
  if (kinds?.includes('')) throw new UsageError('--kinds takes kinds separated by commas');
  const sorted = kinds && [...new Set(kinds)].sort();
  // Empty where a script has no such moment or cursor yet.
  const start = { since: values.since || undefined, after: values.after || undefined };
  // Undefined for all kinds, for all plain fields of a record, and for the `url` of the environment.
  return { administration, kinds: sorted, fields, ...start, state, url, quiet, printsQuery };
}
