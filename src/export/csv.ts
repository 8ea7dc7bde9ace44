import { findTimeZone } from '../lists/time-zones.ts';
import { utcMoment } from '../lists/values.ts';
import { isObject } from '../rest/json.ts';
import type { ExportRequest } from './export-request.ts';

/** One column. The keys that lead to its value in a row, through objects and lists, are joined by points in its name. */
export interface CsvColumn {
  readonly name: string;
  /** The name of its type. */
  readonly type: string;
  /** Whether it joins the values of a list. */
  readonly isList: boolean;
}

type CsvOptions = Omit<ExportRequest, 'format' | 'withCursor' | 'after'>;

/** Types whose values no person has typed. */
const VALUE_TYPES = ['Amount', 'DateTime', 'Int'];

/**
 * Where a spreadsheet would find a formula: at the start of a cell, which any piece of a text becomes if the spreadsheet
 * expects another separator than the file has. Quotes do not prevent that. An apostrophe there does. A tab or a return at
 * the start of a text may be skipped, whatever comes behind it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a spreadsheet may skip them.
const FORMULA = /(?:^|[,;\t\r\n])[\0-\x08\x0b\x0c\x0e-\x20"]*(?=[=+\-@])|^(?=[\t\r])/g;
/** Most texts have none of these: to look for them first is ten times as fast as FORMULA. */
const SIGN = /[=+\-@]|^[\t\r]/;
/** A number or a moment, which starts with a sign for another reason. */
const SIGNED = /^[+-](\d+(\.\d*)?(e[+-]?\d+)?|\.\d+|\d{4,}-\d\d[\d:.TZ+-]*)$/i;
/** Nothing that could run. */
const PHONE = /^\+[\d ]+$/;
const AMOUNT = /^[+-]?(\d+\.\d*|\.\d+)$/;

/** Writes rows as RFC 4180 has them, each with its line end. */
export function csvWriter(
  columns: readonly CsvColumn[],
  { bom, separator, guardsFormulas, decimal, keepsPhones, timeZone }: CsvOptions,
) {
  const special = new RegExp(`["\\r\\n${separator}]`);
  const quoted = (cell: string) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const toLocal = findTimeZone(timeZone ?? '');
  /** As spreadsheets read a date and time. */
  const localTime = (text: string) => {
    const moment = utcMoment(text);
    return toLocal && moment ? toLocal(moment).slice(0, 19).replace('T', ' ') : text;
  };
  const paths = columns.map(({ name, type }) => ({ path: name.split('.'), type }));

  function cellOf(row: unknown, path: readonly string[], type: string): string {
    const sent = textAt(row, path);
    if (sent === undefined) return '';
    // Those of a list are joined.
    const text = type === 'DateTime' ? sent.replace(/[^; ]+/g, localTime) : sent;
    if (type === 'Amount' && decimal !== '.' && AMOUNT.test(text)) return quoted(text.replace('.', decimal));
    // Only null is nothing at all, for readers that tell the two apart.
    if (text === '') return '""';
    const isValue = VALUE_TYPES.includes(type) && SIGNED.test(text);
    const isSafe = !guardsFormulas || !SIGN.test(text) || isValue || (keepsPhones && PHONE.test(text));
    return quoted(isSafe ? text : text.replace(FORMULA, "$&'"));
  }

  function lineOf(cells: readonly string[]): string {
    // An empty line would be no row at all to many readers.
    const line = cells.length === 1 && cells[0] === '' ? '""' : cells.join(separator);
    return `${line}\r\n`;
  }

  return {
    header: (bom ? '\uFEFF' : '') + lineOf(columns.map(({ name }) => name)),
    row: (row: unknown) => lineOf(paths.map(({ path, type }) => cellOf(row, path, type))),
  };
}

/** The text of a value; of a list, that of its items joined. Undefined for null. */
export function textAt(value: unknown, path: readonly string[], depth = 0): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item) => textAt(item, path, depth) ?? '').join('; ');
  const key = path[depth];
  if (key === undefined) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return isObject(value) ? textAt(value[key], path, depth + 1) : undefined;
}
