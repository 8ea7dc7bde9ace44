import { parseArgs } from 'node:util';
import type { ExportRequest } from '../export/export-request.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { didYouMean, settingOf } from './environment.ts';
import { UsageError } from './failure.ts';

export const COMMANDS = ['serve', 'doctor', 'config', 'export', 'changes', 'print-schema', 'help'] as const;
export type Command = (typeof COMMANDS)[number];

/** Every option, and the commands that take it: all, where none are named. help.ts tells what they mean. */
export const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  'env-file': { type: 'string', multiple: true, of: ['serve', 'doctor', 'config'] },
  json: { type: 'boolean', of: ['config'] },
  yes: { type: 'boolean', of: ['doctor'] },
  administration: { type: 'string', of: ['doctor', 'changes'] },
  out: { type: 'string', of: ['export'] },
  format: { type: 'string', of: ['export'] },
  variables: { type: 'string', of: ['export'] },
  operation: { type: 'string', of: ['export'] },
  resume: { type: 'boolean', of: ['export'] },
  separator: { type: 'string', of: ['export'] },
  decimal: { type: 'string', of: ['export'] },
  bom: { type: 'boolean', of: ['export'] },
  formulas: { type: 'boolean', of: ['export'] },
  url: { type: 'string', of: ['export', 'changes'] },
  quiet: { type: 'boolean', of: ['export', 'changes'] },
  kinds: { type: 'string', of: ['changes'] },
  fields: { type: 'string', of: ['changes'] },
  since: { type: 'string', of: ['changes'] },
  after: { type: 'string', of: ['changes'] },
  state: { type: 'string', of: ['changes'] },
  'print-query': { type: 'boolean', of: ['changes'] },
} as const;

type Values = ReturnType<typeof parse>['values'];

/** What the command line asks for. */
export type CommandLine =
  | ReturnType<typeof withOptions>
  | { readonly command: 'version' }
  | { readonly command: 'help'; readonly topic: Command };

/** A command with what its line says. */
export type CommandOptions<Name extends Command> = Readonly<Extract<CommandLine, { command: Name }>>;

export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  const [name, argument, further] = positionals;
  const command = name === undefined ? undefined : commandOf(name);
  if (values.version) return { command: 'version' };
  if (command === 'help') return { command, topic: commandOf(argument ?? 'help') };
  const unexpected = command === 'export' ? further : argument;
  if (unexpected !== undefined) throw new UsageError(`${command} takes no argument '${unexpected}'`);
  if (values.help) return { command: 'help', topic: command ?? 'help' };
  return withOptions(command ?? 'serve', values, argument);
}

function commandOf(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate === name);
  if (command === undefined) throw new UsageError(`Unknown command '${name}'${didYouMean(name, COMMANDS)}`);
  return command;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    // Node appends hints on escaping arguments; only the first sentence says what is wrong.
    const [sentence = ''] = error instanceof TypeError ? error.message.split(/\.\s/) : [];
    if (sentence === '') throw error;
    const [, option] = /^Unknown option '--([\w-]+)'/.exec(sentence) ?? [];
    const setting = option && settingOf(option);
    if (setting) throw new UsageError(`${sentence} (set the environment variable ${setting} instead)`);
    throw new UsageError(`${sentence}${option ? didYouMean(option, Object.keys(OPTIONS), '--') : ''}`);
  }
}

function withOptions(command: Exclude<Command, 'help'>, values: Values, argument: string | undefined) {
  for (const [option, taken] of Object.entries(OPTIONS)) {
    const of: readonly Command[] = 'of' in taken ? taken.of : COMMANDS;
    if (option in values && !of.includes(command))
      throw new UsageError(`--${option} is only for ${new Intl.ListFormat('en-GB').format(of)}`);
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
      return { command, ...exportOptions(values, argument) };
    case 'changes':
      return { command, ...changesOptions(values) };
    case 'print-schema':
      return { command };
  }
}

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;

/** With `formulas`, texts that a spreadsheet would run as such are left as they are. */
export type CsvOptions = Pick<ExportRequest, 'separator' | 'decimal' | 'bom'> & {
  readonly formulas: boolean;
};

function exportOptions(values: Values, document: string | undefined) {
  const { out, operation, url, decimal = '.', resume = false, quiet = false } = values;
  if (document === undefined) throw new UsageError('export needs a file with a query');
  if (!out) throw new UsageError('export needs --out with a file, or - for standard output');
  const format = formatOf(out, values.format);
  const csvOption = ['separator', 'decimal', 'bom', 'formulas'].find((name) => name in values);
  if (format !== 'csv' && csvOption) throw new UsageError(`--${csvOption} is only for CSV`);
  const separator = values.separator === 'tab' ? '\t' : (values.separator ?? ',');
  if (![',', ';', '\t'].includes(separator)) throw new UsageError("--separator takes a comma, ';' or tab");
  if (decimal !== '.' && decimal !== ',') throw new UsageError('--decimal takes a point or a comma');
  if (out === '-' && resume) throw new UsageError('--resume needs a file as --out');
  if (out === '-' && format === 'parquet') throw new UsageError('Parquet needs a file as --out');
  const isCompressed = out.endsWith('.gz');
  if (isCompressed && format === 'parquet')
    throw new UsageError('Parquet is compressed already: leave out .gz');
  const variables = parseJson(values.variables ?? '{}');
  if (!isObject(variables)) throw new UsageError('--variables takes a JSON object');
  const { bom = false, formulas = false } = values;
  const csv: CsvOptions = { separator, decimal, bom, formulas };
  // Undefined for standard output.
  const file = out === '-' ? undefined : out;
  return { document, variables, operation, out: file, format, isCompressed, csv, url, resume, quiet };
}

function formatOf(out: string, given: string | undefined): (typeof FORMATS)[number] {
  const name = given ?? (out === '-' ? 'ndjson' : /\.(\w+?)(\.gz)?$/.exec(out)?.[1]);
  const format = FORMATS.find((candidate) => candidate === name);
  if (format) return format;
  if (given !== undefined) throw new UsageError('--format takes csv, ndjson or parquet');
  const endings = '.csv, .ndjson, .parquet, .csv.gz or .ndjson.gz';
  throw new UsageError(`--out takes a file that ends in ${endings}; otherwise give --format`);
}

function changesOptions(values: Values) {
  const { administration = '', fields, state, url, quiet = false } = values;
  const { 'print-query': printsQuery = false } = values;
  if (administration === '' && !printsQuery)
    throw new UsageError('changes needs --administration with an id');
  if (state === '') throw new UsageError('--state takes a file');
  if (fields?.trim() === '') throw new UsageError('--fields takes names of fields, as in GraphQL');
  const given = values.kinds?.split(',').map((kind) => kind.trim());
  if (given?.includes('')) throw new UsageError('--kinds takes kinds separated by commas');
  const kinds = given && [...new Set(given)].sort();
  // Empty where a script has no such moment or cursor yet.
  const start = { since: values.since || undefined, after: values.after || undefined };
  // Undefined for all kinds, and for all plain fields of a record.
  return { administration, kinds, fields, ...start, state, url, quiet, printsQuery };
}
