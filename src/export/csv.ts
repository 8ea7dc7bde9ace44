import { isObject } from '../rest/json.ts';
import type { ExportRequest } from './export-request.ts';

/** One column: where its value stands in a row, and whether that is text of people. */
export interface CsvColumn {
  readonly name: string;
  /** The keys that lead to it, through objects and lists. */
  readonly path: readonly string[];
  readonly isText: boolean;
  /** The name of its type; absent where it joins the values of a list. */
  readonly type?: string;
}

/** What a list is joined by. */
const JOINT = '; ';
const LINE_END = '\r\n';
export const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Where a spreadsheet would find a formula: at the start of a cell, which any piece of a text becomes if the spreadsheet
 * expects another separator than the file has. Quotes do not prevent that. An apostrophe there does. A tab or a return at
 * the start of a text may be skipped, whatever comes behind it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a spreadsheet may skip them.
const FORMULA = /(?:^|[,;\t\r\n])[\0-\x08\x0b\x0c\x0e-\x20"]*(?=[=+\-@])|^(?=[\t\r])/g;
/** What most texts have none of, which is told ten times as fast. */
const SIGN = /[=+\-@]|^[\t\r]/;
/** A number or a moment, which starts with a sign for another reason. */
const SIGNED = /^[+-](\d+(\.\d*)?(e[+-]?\d+)?|\.\d+|\d{4,}-\d\d[\d:.TZ+-]*)$/i;

/** What stands before the decimals of amounts is a point unless said otherwise. */
type CsvStyle = Pick<ExportRequest, 'separator' | 'guardsFormulas'> & Partial<Pick<ExportRequest, 'decimal'>>;

const AMOUNT = /^[+-]?(\d+\.\d*|\.\d+)$/;

/** Writes rows as RFC 4180 has them, each with its line end. */
export function csvWriter(
  columns: readonly CsvColumn[],
  { separator, guardsFormulas, decimal = '.' }: CsvStyle,
) {
  const special = new RegExp(`["\\r\\n${separator}]`);
  const quoted = (cell: string) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

  function cellOf(row: unknown, { path, isText, type }: CsvColumn): string {
    const text = textAt(row, path);
    if (text === undefined) return '';
    if (type === 'Amount' && decimal !== '.' && AMOUNT.test(text)) return quoted(text.replace('.', decimal));
    // Only null is nothing at all, for readers that tell the two apart.
    if (text === '') return '""';
    const isSafe = !guardsFormulas || !SIGN.test(text) || (!isText && SIGNED.test(text));
    return quoted(isSafe ? text : text.replace(FORMULA, "$&'"));
  }

  function lineOf(cells: readonly string[]): string {
    // An empty line would be no row at all to many readers.
    const line = cells.length === 1 && cells[0] === '' ? '""' : cells.join(separator);
    return line + LINE_END;
  }

  return {
    header: () => lineOf(columns.map(({ name }) => name)),
    row: (row: unknown) => lineOf(columns.map((column) => cellOf(row, column))),
  };
}

/** The text of a value; of a list, that of its items joined. Undefined for null. */
export function textAt(value: unknown, path: readonly string[], depth = 0): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item) => textAt(item, path, depth) ?? '').join(JOINT);
  const key = path[depth];
  if (key === undefined) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return isObject(value) ? textAt(value[key], path, depth + 1) : undefined;
}
