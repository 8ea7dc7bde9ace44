import type { parseArgs } from 'node:util';
import type { ExportRequest } from '../export/export-request.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { UsageError } from './failure.ts';

/** Every option, and the commands that take it: all, where none are named. */
export const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  administration: { type: 'string', of: ['doctor', 'changes'] },
  yes: { type: 'boolean', of: ['doctor'] },
  json: { type: 'boolean', of: ['config'] },
  'env-file': { type: 'string', multiple: true, of: ['serve', 'doctor', 'config'] },
  variables: { type: 'string', of: ['export'] },
  operation: { type: 'string', of: ['export'] },
  out: { type: 'string', of: ['export'] },
  format: { type: 'string', of: ['export'] },
  url: { type: 'string', of: ['export', 'changes'] },
  resume: { type: 'boolean', of: ['export'] },
  quiet: { type: 'boolean', of: ['export', 'changes'] },
  separator: { type: 'string', of: ['export'] },
  decimal: { type: 'string', of: ['export'] },
  bom: { type: 'boolean', of: ['export'] },
  formulas: { type: 'boolean', of: ['export'] },
  kinds: { type: 'string', of: ['changes'] },
  fields: { type: 'string', of: ['changes'] },
  since: { type: 'string', of: ['changes'] },
  after: { type: 'string', of: ['changes'] },
  state: { type: 'string', of: ['changes'] },
  'print-query': { type: 'boolean', of: ['changes'] },
} as const;

/** What the command line says. */
export type OptionValues = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;
const SEPARATORS: { readonly [name: string]: string } = { ',': ',', ';': ';', tab: '\t' };

export type ExportOptions = Readonly<ReturnType<typeof readExportOptions>>;
/** With `formulas`, texts that a spreadsheet would run as such are left as they are. */
export type CsvOptions = Pick<ExportRequest, 'separator' | 'decimal' | 'bom'> & {
  readonly formulas: boolean;
};

export function readExportOptions(document: string | undefined, values: OptionValues) {
  if (document === undefined) throw new UsageError('export needs a file with a query');
  const {
    out,
    separator = ',',
    decimal = '.',
    resume = false,
    quiet = false,
    bom = false,
    formulas = false,
  } = values;
  if (!out) throw new UsageError('export needs --out with a file, or - for standard output');
  const format = formatOf(out, values.format);
  const csvOption = (['separator', 'decimal', 'bom', 'formulas'] as const).find(
    (name) => values[name] !== undefined,
  );
  if (format !== 'csv' && csvOption) throw new UsageError(`--${csvOption} is only for CSV`);
  if (!Object.hasOwn(SEPARATORS, separator)) throw new UsageError("--separator takes a comma, ';' or tab");
  if (decimal !== '.' && decimal !== ',') throw new UsageError('--decimal takes a point or a comma');
  if (out === '-' && resume) throw new UsageError('--resume needs a file as --out');
  if (out === '-' && format === 'parquet') throw new UsageError('Parquet needs a file as --out');
  const isCompressed = out.endsWith('.gz');
  if (isCompressed && format === 'parquet')
    throw new UsageError('Parquet is compressed already: leave out .gz');
  const csv: CsvOptions = { separator: SEPARATORS[separator] ?? ',', decimal, bom, formulas };
  const variables = parseJson(values.variables ?? '{}');
  if (!isObject(variables)) throw new UsageError('--variables takes a JSON object');
  return {
    /** The file of the document. */
    document,
    variables,
    operation: values.operation,
    /** Undefined for standard output. */
    out: out === '-' ? undefined : out,
    format,
    isCompressed,
    csv,
    /** Undefined for that of the environment. */
    url: values.url,
    resume,
    quiet,
  };
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

export type ChangesOptions = Readonly<ReturnType<typeof readChangesOptions>>;

export function readChangesOptions(values: OptionValues) {
  const {
    administration = '',
    fields,
    state,
    url,
    quiet = false,
    'print-query': printsQuery = false,
  } = values;
  if (administration === '' && !printsQuery)
    throw new UsageError('changes needs --administration with an id');
  if (state === '') throw new UsageError('--state takes a file');
  if (fields?.trim() === '') throw new UsageError('--fields takes names of fields, as in GraphQL');
  const kinds = values.kinds?.split(',').map((kind) => kind.trim());
  if (kinds?.includes('')) throw new UsageError('--kinds takes kinds separated by commas');
  return {
    administration,
    /** Undefined for all. */
    kinds: kinds && [...new Set(kinds)].sort(),
    /** What is selected of each record; undefined for all of its plain fields. */
    fields,
    // Empty where a script has no such moment or cursor yet.
    since: values.since || undefined,
    after: values.after || undefined,
    /** The file that says how far it has come. */
    state,
    /** Undefined for that of the environment. */
    url,
    quiet,
    /** Whether only the document is printed, for a list of trusted ones. */
    printsQuery,
  };
}
