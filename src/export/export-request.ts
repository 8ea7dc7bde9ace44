import { badRequest } from '../http/errors.ts';

export type ExportFormat = 'csv' | 'ndjson';

/** By media type. */
export const EXPORT_FORMATS: { readonly [type: string]: ExportFormat } = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};

/** What a client asks for beside its document, in the URL. */
export interface ExportRequest {
  readonly format: ExportFormat;
  /** Whether CSV starts with a byte order mark, by which Excel recognises UTF-8. */
  readonly bom: boolean;
  readonly separator: string;
  /** Whether texts that a spreadsheet would run as formulas are made harmless. */
  readonly guardsFormulas: boolean;
  /** Whether each row ends with its cursor. */
  readonly withCursor: boolean;
  /** The cursor to start behind, in place of the argument of the list. */
  readonly after: string | undefined;
}

/** Where exports are served for tools that set no headers: `/graphql.csv` and `/graphql.ndjson`. */
export function exportPaths(endpoint: string): { readonly [path: string]: ExportFormat } {
  return { [`${endpoint}.csv`]: 'csv', [`${endpoint}.ndjson`]: 'ndjson' };
}

const SEPARATORS = new Map([
  [',', ','],
  [';', ';'],
  ['tab', '\t'],
]);
const CSV_OPTIONS = ['bom', 'separator', 'formulas'];

/** Throws for a value that an option does not take: a file that is not as it was asked for may go unnoticed. */
export function readExportRequest(format: ExportFormat, search: string): ExportRequest {
  const parameters = new URLSearchParams(search);
  if (format !== 'csv') {
    const name = CSV_OPTIONS.find((option) => parameters.has(option));
    if (name !== undefined) throw badRequest(`\`${name}\` is for CSV: leave it out.`);
  }
  const isOn = (name: string) => {
    const value = parameters.get(name) ?? '0';
    if (value !== '0' && value !== '1') throw badRequest(`\`${name}\` takes 1 or 0.`);
    return value === '1';
  };
  const separator = SEPARATORS.get(parameters.get('separator') ?? ',');
  if (separator === undefined) throw badRequest('`separator` takes a comma, a semicolon (`;`) or `tab`.');
  return {
    format,
    bom: isOn('bom'),
    separator,
    guardsFormulas: !isOn('formulas'),
    withCursor: isOn('cursor'),
    after: parameters.get('after') || undefined,
  };
}
