import { statSync } from 'node:fs';
import { readExportRequest } from '../../export/export-request.ts';
import { RequestError } from '../../http/errors.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { type OptionValues, parseCommand } from '../arguments.ts';
import { UsageError, wrongInput } from '../failure.ts';

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;

export type ExportOptions = Readonly<ReturnType<typeof readExportOptions>>;

export function readExportOptions(args: readonly string[]) {
  const { values, positionals } = parseCommand('export', args, true);
  const [document, further] = positionals;
  const { out, operation, url, resume = false, quiet = false } = values;
  if (document === undefined) throw new UsageError('export needs a file with a query');
  if (further !== undefined) throw new UsageError(`Unexpected argument '${further}'`);
  if (!out) throw new UsageError('export needs --out with a file, or - for standard output');
  const format = formatOf(out, values.format);
  if (out === '-' && (resume || format === 'parquet'))
    throw new UsageError('--resume and Parquet need a file as --out');
  // A device or a pipe would be replaced by a file.
  if (statSync(out, { throwIfNoEntry: false })?.isFile() === false)
    throw new UsageError(`--out takes a file, not '${out}'`);
  const isCompressed = out.endsWith('.gz');
  const variables = parseJson(values.variables ?? '{}');
  if (!isObject(variables)) throw new UsageError('--variables takes a JSON object');
  const csv = readCsvOptions(format, values);
  // Undefined for standard output.
  const file = out === '-' ? undefined : out;
  return { document, variables, operation, out: file, format, isCompressed, csv, url, resume, quiet };
}

/** As the gateway reads them from an address. */
function readCsvOptions(format: string, values: OptionValues<'export'>) {
  const given = (['separator', 'decimal', 'bom', 'formulas'] as const).flatMap((name) =>
    values[name] === undefined ? [] : [[name, values[name] === true ? '1' : String(values[name])]],
  );
  try {
    return readExportRequest(format === 'csv' ? format : 'ndjson', `${new URLSearchParams(given)}`);
  } catch (error) {
    throw error instanceof RequestError ? wrongInput(error.message.replaceAll('`', '')) : error;
  }
}

function formatOf(out: string, given: string | undefined): (typeof FORMATS)[number] {
  const name = given ?? (out === '-' ? 'ndjson' : /\.(csv|ndjson|parquet(?!\.gz))(\.gz)?$/.exec(out)?.[1]);
  const format = FORMATS.find((candidate) => candidate === name);
  if (format) return format;
  if (given !== undefined) throw new UsageError('--format takes csv, ndjson or parquet');
  const endings = '.csv, .ndjson, .parquet, .csv.gz or .ndjson.gz';
  throw new UsageError(`--out takes a file that ends in ${endings}; otherwise give --format`);
}
