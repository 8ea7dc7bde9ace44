import { UsageError } from './failure.ts';

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;
type FileFormat = (typeof FORMATS)[number];

/** What the command line says, as text. */
interface ExportValues {
  readonly variables?: string | undefined;
  readonly operation?: string | undefined;
  readonly out?: string | undefined;
  readonly format?: string | undefined;
  readonly url?: string | undefined;
  readonly resume?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly separator?: string | undefined;
  readonly bom?: boolean | undefined;
  readonly formulas?: boolean | undefined;
}

export interface CsvOptions {
  readonly separator: string;
  readonly bom: boolean;
  /** Whether texts that a spreadsheet would run as formulas are left as they are. */
  readonly formulas: boolean;
}

export interface ExportOptions {
  /** The file of the document. */
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly operation: string | undefined;
  /** Undefined for standard output. */
  readonly out: string | undefined;
  readonly format: FileFormat;
  readonly isCompressed: boolean;
  readonly csv: CsvOptions;
  /** Undefined for that of the environment. */
  readonly url: string | undefined;
  readonly resume: boolean;
  readonly quiet: boolean;
}

const SEPARATORS: { readonly [name: string]: string } = { ',': ',', ';': ';', tab: '\t' };

export function readExportOptions(document: string | undefined, values: ExportValues): ExportOptions {
  if (document === undefined) throw new UsageError('export needs a file with a query');
  const { out, separator = ',', resume = false, quiet = false, bom = false, formulas = false } = values;
  if (!out) throw new UsageError('export needs --out with a file, or - for standard output');
  const format = formatOf(out, values.format);
  const csvOption = (['separator', 'bom', 'formulas'] as const).find((name) => values[name] !== undefined);
  if (format !== 'csv' && csvOption) throw new UsageError(`--${csvOption} is only for CSV`);
  if (!Object.hasOwn(SEPARATORS, separator)) throw new UsageError("--separator takes a comma, ';' or tab");
  if (out === '-' && resume) throw new UsageError('--resume needs a file as --out');
  if (out === '-' && format === 'parquet') throw new UsageError('Parquet needs a file as --out');
  const isCompressed = out.endsWith('.gz');
  if (isCompressed && format === 'parquet')
    throw new UsageError('Parquet is compressed already: leave out .gz');
  return {
    document,
    variables: parseVariables(values.variables ?? '{}'),
    operation: values.operation,
    out: out === '-' ? undefined : out,
    format,
    isCompressed,
    csv: { separator: SEPARATORS[separator] ?? ',', bom, formulas },
    url: values.url,
    resume,
    quiet,
  };
}

function formatOf(out: string, given: string | undefined): FileFormat {
  const name = given ?? (out === '-' ? 'ndjson' : /\.(\w+?)(\.gz)?$/.exec(out)?.[1]);
  const format = FORMATS.find((candidate) => candidate === name);
  if (format) return format;
  throw new UsageError(
    given === undefined
      ? '--out takes a file that ends in .csv, .ndjson, .parquet, .csv.gz or .ndjson.gz; otherwise give --format'
      : '--format takes csv, ndjson or parquet',
  );
}

function parseVariables(text: string): { readonly [name: string]: unknown } {
  try {
    const variables: unknown = JSON.parse(text);
    if (typeof variables === 'object' && variables !== null && !Array.isArray(variables))
      return { ...variables };
  } catch {
    // Below.
  }
  throw new UsageError('--variables takes a JSON object');
}

/** What the command line says, as text. */
interface ChangesValues {
  readonly administration?: string | undefined;
  readonly kinds?: string | undefined;
  readonly fields?: string | undefined;
  readonly since?: string | undefined;
  readonly after?: string | undefined;
  readonly state?: string | undefined;
  readonly url?: string | undefined;
  readonly quiet?: boolean | undefined;
  readonly 'print-query'?: boolean | undefined;
}

export interface ChangesOptions {
  readonly administration: string;
  /** Undefined for all. */
  readonly kinds: readonly string[] | undefined;
  /** What is selected of each record; undefined for all of its plain fields. */
  readonly fields: string | undefined;
  readonly since: string | undefined;
  readonly after: string | undefined;
  /** The file that says how far it has come. */
  readonly state: string | undefined;
  /** Undefined for that of the environment. */
  readonly url: string | undefined;
  readonly quiet: boolean;
  /** Whether only the document is printed, for a list of trusted ones. */
  readonly printsQuery: boolean;
}

export function readChangesOptions(values: ChangesValues): ChangesOptions {
  const { administration = '', kinds, fields, state, url, quiet = false } = values;
  const printsQuery = values['print-query'] ?? false;
  if (administration === '' && !printsQuery)
    throw new UsageError('changes needs --administration with an id');
  if (state === '') throw new UsageError('--state takes a file');
  if (fields?.trim() === '') throw new UsageError('--fields takes names of fields, as in GraphQL');
  return {
    administration,
    kinds: kinds === undefined ? undefined : readKinds(kinds),
    fields,
    // Empty where a script has no such moment or cursor yet.
    since: values.since || undefined,
    after: values.after || undefined,
    state,
    url,
    quiet,
    printsQuery,
  };
}

function readKinds(text: string): string[] {
  const kinds = text.split(',').map((kind) => kind.trim());
  if (kinds.includes('')) throw new UsageError('--kinds takes kinds separated by commas');
  return [...new Set(kinds)].sort();
}
