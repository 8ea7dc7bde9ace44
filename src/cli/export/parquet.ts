import { createReadStream } from 'node:fs';
import { type CsvColumn, textAt } from '../../export/csv.ts';
import { isObject } from '../../rest/json.ts';
import { wrongInput } from '../failure.ts';
import { wholeLines } from './copy-rows.ts';
import type { RowPlan } from './plan-rows.ts';

/** Rows that are held at once. */
const GROUP_ROWS = 10_000;

/** By the name of the type in the schema; all others are texts. */
const TYPES: ReadonlyMap<string, 'BOOLEAN' | 'INT32' | 'DOUBLE'> = new Map([
  ['Boolean', 'BOOLEAN'],
  ['Int', 'INT32'],
  ['Float', 'DOUBLE'],
]);

type ParquetLibrary = typeof import('hyparquet-writer');

/** An optional dependency: looked for before anything is read, since a long export would be in vain without it. */
export async function loadParquet(): Promise<ParquetLibrary> {
  try {
    return await import('hyparquet-writer');
  } catch {
    throw wrongInput('For Parquet, install the package hyparquet-writer; CSV and NDJSON need none.');
  }
}

/** Writes rows of NDJSON as Parquet, with the columns of CSV: amounts, moments and lists are texts. */
export async function convertToParquet(
  { fileWriter, parquetWriteRows }: ParquetLibrary,
  { columns }: RowPlan,
  { part, file, signal }: { readonly part: string; readonly file: string; readonly signal: AbortSignal },
): Promise<void> {
  await parquetWriteRows({
    writer: fileWriter(file),
    rows: rowsIn(part, columns, signal),
    columns: columns.map((column) => ({ name: column.name, type: typeOf(column) ?? 'STRING' })),
    rowGroupSize: GROUP_ROWS,
  });
}

async function* rowsIn(part: string, columns: readonly CsvColumn[], signal: AbortSignal) {
  for await (const line of wholeLines(createReadStream(part, { signal }))) {
    const row: unknown = JSON.parse(line);
    yield Object.fromEntries(columns.map((column) => [column.name, valueAt(row, column)]));
  }
}

function typeOf({ type, isList }: CsvColumn) {
  return isList ? undefined : TYPES.get(type);
}

function valueAt(row: unknown, column: CsvColumn): unknown {
  const path = column.name.split('.');
  if (typeOf(column) === undefined) return textAt(row, path);
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), row) ?? undefined;
}
