import { BYTE_ORDER_MARK, CsvWriter } from '../../export/csv.ts';
import type { CsvOptions } from '../export-options.ts';
import type { RowFormat } from './output.ts';
import type { RowPlan } from './plan.ts';

export const NDJSON_FORMAT: RowFormat = { header: '', line: ({ value }) => `${JSON.stringify(value)}\n` };

export function csvFormat({ columns }: RowPlan, { separator, bom, formulas }: CsvOptions): RowFormat {
  const writer = new CsvWriter(columns, { separator, guardsFormulas: !formulas });
  return {
    header: `${bom ? BYTE_ORDER_MARK.toString() : ''}${writer.header()}`,
    line: ({ value }) => writer.row(value),
  };
}
