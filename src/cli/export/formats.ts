import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type CsvColumn, csvWriter, textAt } from '../../export/csv.ts';
import { parseJson } from '../../rest/json.ts';
import { wrongInput } from '../failure.ts';
import type { ExportOptions, RowPlan } from './options.ts';

type Rows = AsyncIterable<object>;

/** What rows are written as, and what stands before them. */
export function textFormat({ columns }: RowPlan, { format, csv }: ExportOptions) {
  if (format === 'csv') return csvWriter(columns, csv);
  return { header: '', row: (row: unknown) => `${JSON.stringify(row)}\n` };
}

/** What writes rows to a file. */
export async function fileWriter(plan: RowPlan, options: ExportOptions) {
  if (options.format === 'parquet') return parquetWriter(plan);
  const { header, row: textOf } = textFormat(plan, options);
  return async (path: string, rows: Rows): Promise<void> => {
    const file = createWriteStream(path);
    async function* texts() {
      yield header;
      for await (const row of rows) yield textOf(row);
    }
    await (options.isCompressed ? pipeline(texts, createGzip(), file) : pipeline(texts, file));
  };
}

/** Rows that are held at once. */
const GROUP_ROWS = 10_000;

/** By the name of the type in the schema; all others are texts. */
const PARQUET_TYPES = new Map(Object.entries({ Boolean: 'BOOLEAN', Int: 'INT32' } as const));

/** The columns of CSV: amounts, moments and lists are texts. */
async function parquetWriter({ columns }: RowPlan) {
  // An optional dependency: looked for before anything is read, since a long export would be in vain without it.
  const { fileWriter: open, parquetWriteRows } = await import('hyparquet-writer').catch(() => {
    throw wrongInput('For Parquet, install the package hyparquet-writer; CSV and NDJSON need none.');
  });
  return async (path: string, rows: Rows): Promise<void> => {
    async function* values() {
      for await (const row of rows)
        yield Object.fromEntries(columns.map((column) => [column.name, valueAt(row, column)]));
    }
    await parquetWriteRows({
      writer: open(path),
      rows: values(),
      columns: columns.map((column) => ({ name: column.name, type: typeOf(column) ?? 'STRING' })),
      rowGroupSize: GROUP_ROWS,
    });
  };
}

function typeOf({ type, isList }: CsvColumn) {
  return isList ? undefined : PARQUET_TYPES.get(type);
}

function valueAt(row: unknown, column: CsvColumn): unknown {
  const text = textAt(row, column.name.split('.'));
  return text !== undefined && typeOf(column) ? parseJson(text) : text;
}
