import { badRequest } from '../http/errors.ts';
import type { ExportFormat } from '../http/negotiation.ts';

/** What a client asks for beside its document, in the URL. */
export interface ExportRequest {
  readonly format: ExportFormat;
  /** Whether CSV starts with a byte order mark, by which Excel recognises UTF-8. */
  readonly bom: boolean;
  readonly separator: string;
  /** What stands before the decimals of an amount. */
  readonly decimal: '.' | ',';
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
const CSV_OPTIONS = ['bom', 'separator', 'decimal', 'formulas'];
const OPTIONS = ['cursor', 'after'];
/** Of an operation that is sent by GET. */
const PARAMETERS = ['query', 'documentId', 'variables', 'operationName', 'extensions'];

/** Throws for an option that there is not, or its value: a file that is not as it was asked for may go unnoticed. */
export function readExportRequest(format: ExportFormat, search: string): ExportRequest {
  const parameters = new URLSearchParams(search);
  const known = format === 'csv' ? [...CSV_OPTIONS, ...OPTIONS] : OPTIONS;
  const unknown = [...parameters.keys()].find((name) => !known.includes(name) && !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    const names = known.map((name) => `\`${name}\``).join(', ');
    throw badRequest(`There is no option \`${unknown.slice(0, 50)}\` for ${format}: it takes ${names}.`);
  }
  const isOn = (name: string) => {
    const value = parameters.get(name) ?? '0';
    if (value !== '0' && value !== '1') throw badRequest(`\`${name}\` takes 1 or 0.`);
    return value === '1';
  };
  const separator = SEPARATORS.get(parameters.get('separator') ?? ',');
  if (separator === undefined) throw badRequest('`separator` takes a comma, a semicolon (`;`) or `tab`.');
  const decimal = parameters.get('decimal') ?? '.';
  if (decimal !== '.' && decimal !== ',') throw badRequest('`decimal` takes a point or a comma.');
  return {
    format,
    bom: isOn('bom'),
    separator,
    decimal,
    guardsFormulas: !isOn('formulas'),
    withCursor: isOn('cursor'),
    after: parameters.get('after') || undefined,
  };
}
