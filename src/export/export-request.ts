import { badRequest } from '../http/errors.ts';
import type { ExportFormat } from '../http/negotiation.ts';
import { findTimeZone } from '../lists/time-zones.ts';

/** Where exports are served for tools that set no headers: `/graphql.csv` and `/graphql.ndjson`. */
export function exportPaths(endpoint: string): { readonly [path: string]: ExportFormat } {
  return { [`${endpoint}.csv`]: 'csv', [`${endpoint}.ndjson`]: 'ndjson' };
}

const CSV_OPTIONS = ['bom', 'separator', 'decimal', 'formulas', 'phones', 'timeZone'];
const OPTIONS = ['cursor', 'after'];
/** Of an operation that is sent by GET. */
const PARAMETERS = ['query', 'documentId', 'variables', 'operationName', 'extensions'];

/** What a client asks for beside its document, in the URL. */
export type ExportRequest = Readonly<ReturnType<typeof readExportRequest>>;

/** Throws for an option that there is not, or its value: a file that is not as it was asked for may go unnoticed. */
export function readExportRequest(format: ExportFormat, search: string) {
  const parameters = new URLSearchParams(search);
  const known = format === 'csv' ? [...CSV_OPTIONS, ...OPTIONS] : OPTIONS;
  const unknown = [...parameters.keys()].find((name) => !known.includes(name) && !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    const names = known.map((name) => `\`${name}\``).join(', ');
    throw badRequest(`There is no option \`${unknown.slice(0, 50)}\` for ${format}: it takes ${names}.`);
  }
  /** One of these values, of which the first is the default. */
  const choice = (name: string, values: readonly string[], named: string): string => {
    const value = parameters.get(name) ?? values[0];
    if (value !== undefined && values.includes(value)) return value;
    throw badRequest(`\`${name}\` takes ${named}.`);
  };
  const timeZone = parameters.get('timeZone') ?? undefined;
  if (timeZone !== undefined && !findTimeZone(timeZone))
    throw badRequest('`timeZone` takes the name of a time zone, such as Europe/Amsterdam.');
  const isOn = (name: string) => choice(name, ['0', '1'], '1 or 0') === '1';
  return {
    format,
    /** Whether CSV starts with a byte order mark, by which Excel recognises UTF-8. */
    bom: isOn('bom'),
    separator: choice('separator', [',', ';', 'tab'], 'a comma, a semicolon (`;`) or `tab`').replace(
      'tab',
      '\t',
    ),
    /** What stands before the decimals of an amount. */
    decimal: choice('decimal', ['.', ','], 'a point or a comma'),
    /** Whether texts that a spreadsheet would run as formulas are made harmless. */
    guardsFormulas: !isOn('formulas'),
    /** Whether phone numbers are left as they are, though they begin with a sign. */
    keepsPhones: isOn('phones'),
    /** Where moments are written as the local date and time. */
    timeZone,
    /** Whether each row ends with its cursor. */
    withCursor: isOn('cursor'),
    /** The cursor to start behind, in place of the argument of the list. */
    after: parameters.get('after') || undefined,
  };
}
