import { findTimeZone } from '../lists/time-zones.ts';
import { toUtcMoment } from '../lists/values.ts';
import { isObject } from '../rest/json.ts';
import type { ExportRequest } from './export-request.ts';

/** One column. Its name joins the path to its value with dots. */
export interface CsvColumn {
  readonly name: string;
  readonly type: string;
  /** Whether the column joins the values of a list. */
  readonly isList: boolean;
}

type FormatOptions = Omit<ExportRequest, 'withCursor' | 'after'>;

/** Types whose values nobody has typed. */
const VALUE_TYPES = ['Amount', 'DateTime', 'Int'];

/**
 * Matches where a spreadsheet may find a formula: at the start of a cell, or of any piece of a text if it expects
 * another separator. An apostrophe prevents that; quotes do not. Spreadsheets may skip a leading tab or return.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a spreadsheet may skip them.
const FORMULA = /(?:^|[,;\t\r\n])[\0-\x08\x0b\x0c\x0e-\x20"]*(?=[=+\-@])|^(?=[\t\r])/g;
/** Most texts have none of these characters. Testing for them first is ten times as fast as FORMULA. */
const SIGN = /[=+\-@]|^[\t\r]/;
/** A number or timestamp with a sign. */
const SIGNED = /^[+-](\d+(\.\d*)?(e[+-]?\d+)?|\.\d+|\d{4,}-\d\d[\d:.TZ+-]*)$/i;
/** A phone number cannot run as a formula. */
const PHONE = /^\+[\d ]+$/;
const AMOUNT = /^[+-]?(\d+\.\d*|\.\d+)$/;

/** Returns the header of a file and a function that formats its rows: as RFC 4180, or as lines of JSON. */
export function createRowFormat(
  columns: readonly CsvColumn[],
  { format, bom, separator, guardsFormulas, decimal, keepsPhones, timeZone }: FormatOptions,
) {
  if (format === 'ndjson') return { header: '', formatRow: (row: unknown) => `${JSON.stringify(row)}\n` };
  const special = new RegExp(`["\\r\\n${separator}]`);
  const quoted = (cell: string) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const toLocal = findTimeZone(timeZone ?? '');
  /** Formats a timestamp as spreadsheets read it. */
  const localTime = (text: string) => {
    const moment = toUtcMoment(text);
    return toLocal && moment ? toLocal(moment).slice(0, 19).replace('T', ' ') : text;
  };
  const paths = columns.map(({ name, type }) => ({ path: name.split('.'), type }));

  function formatCell(row: unknown, path: readonly string[], type: string): string {
    const joined = joinValues(row, path);
    if (joined === undefined) return '';
    const text = type === 'DateTime' ? joined.replace(/[^; ]+/g, localTime) : joined;
    if (type === 'Amount' && decimal !== '.' && AMOUNT.test(text)) return quoted(text.replace('.', decimal));
    // An empty cell is null; an empty text is quoted, for readers that distinguish them.
    if (text === '') return '""';
    const isValue = VALUE_TYPES.includes(type) && SIGNED.test(text);
    const isSafe = !guardsFormulas || !SIGN.test(text) || isValue || (keepsPhones && PHONE.test(text));
    return quoted(isSafe ? text : text.replace(FORMULA, "$&'"));
  }

  function joinCells(cells: readonly string[]): string {
    // Many readers skip an empty line.
    const line = cells.length === 1 && cells[0] === '' ? '""' : cells.join(separator);
    return `${line}\r\n`;
  }

  return {
    header: (bom ? '\uFEFF' : '') + joinCells(columns.map(({ name }) => name)),
    formatRow: (row: unknown) => joinCells(paths.map(({ path, type }) => formatCell(row, path, type))),
  };
}

/** Returns a value as text, with list items joined, or undefined for null. */
function joinValues(value: unknown, path: readonly string[], depth = 0): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item) => joinValues(item, path, depth) ?? '').join('; ');
  const key = path[depth];
  if (key === undefined) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return isObject(value) ? joinValues(value[key], path, depth + 1) : undefined;
}
