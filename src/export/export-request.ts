import { badRequest } from '../http/errors.ts';
import type { ExportFormat } from '../http/negotiation.ts';
import { findTimeZone } from '../lists/time-zones.ts';

/** The paths of exports, for tools that cannot set headers. */
export function exportPaths(endpoint: string): { readonly [path: string]: ExportFormat } {
  return { [`${endpoint}.csv`]: 'csv', [`${endpoint}.ndjson`]: 'ndjson' };
}

const CSV_OPTIONS = ['bom', 'separator', 'decimal', 'formulas', 'phones', 'timeZone'];
const OPTIONS = ['cursor', 'after'];
/** The parameters of an operation that is sent by GET. */
const PARAMETERS = ['query', 'documentId', 'variables', 'operationName', 'extensions'];

export type ExportRequest = Readonly<ReturnType<typeof readExportRequest>>;

/** Throws for unknown options and values, since a file with the wrong format may go unnoticed. */
export function readExportRequest(format: ExportFormat, search: string) {
  const parameters = new URLSearchParams(search);
  const supported = format === 'csv' ? [...CSV_OPTIONS, ...OPTIONS] : OPTIONS;
  const unknown = [...parameters.keys()].find((name) => ![...supported, ...PARAMETERS].includes(name));
  if (unknown !== undefined) {
    const names = supported.map((name) => `\`${name}\``).join(', ');
    throw badRequest(`There is no option \`${unknown.slice(0, 50)}\` for ${format}: it takes ${names}.`);
  }
  /** Reads an option. The first value is the default. */
  const choice = (name: string, values: readonly string[], description: string): string => {
    const value = parameters.get(name) ?? values[0];
    if (value !== undefined && values.includes(value)) return value;
    throw badRequest(`\`${name}\` takes ${description}.`);
  };
  const timeZone = parameters.get('timeZone') ?? undefined;
  if (timeZone !== undefined && !findTimeZone(timeZone))
    throw badRequest('`timeZone` takes the name of a time zone, such as Europe/Amsterdam.');
  const separator = choice('separator', [',', ';', 'tab'], 'a comma, a semicolon (`;`) or `tab`');
  const isOn = (name: string) => choice(name, ['0', '1'], '1 or 0') === '1';
  return {
    format,
    /** Whether CSV starts with a byte order mark, which Excel needs for UTF-8. */
    bom: isOn('bom'),
    separator: separator === 'tab' ? '\t' : separator,
    decimal: choice('decimal', ['.', ','], 'a point or a comma'),
    /** Whether texts that could run as formulas are escaped. */
    guardsFormulas: !isOn('formulas'),
    keepsPhones: isOn('phones'),
    timeZone,
    /** Whether each row ends with its cursor. */
    withCursor: isOn('cursor'),
    /** Replaces the argument `after` of the list. */
    after: parameters.get('after') || undefined,
  };
}
