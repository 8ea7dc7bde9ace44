import { UsageError } from './usage-error.ts';

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;
export type FileFormat = (typeof FORMATS)[number];

/** What the command line says, as text. */
export interface ExportValues {
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
