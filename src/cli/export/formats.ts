import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { csvWriter } from '../../export/csv.ts';
import type { ExportOptions, RowPlan } from './options.ts';

export function textFormat({ columns }: RowPlan, { format, csv }: ExportOptions) {
  if (format === 'csv') return csvWriter(columns, csv);
  return { header: '', row: (row: unknown) => `${JSON.stringify(row)}\n` };
}

export async function writeRows(
  path: string,
  rows: AsyncIterable<object>,
  { header, row: formatRow }: ReturnType<typeof textFormat>,
  isCompressed: boolean,
): Promise<void> {
  const file = createWriteStream(path);
  async function* texts() {
    yield header;
    for await (const row of rows) yield formatRow(row);
  }
  await (isCompressed ? pipeline(texts, createGzip(), file) : pipeline(texts, file));
}
