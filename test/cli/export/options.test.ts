import { describe, expect, test } from 'vitest';
import { readCommandLine } from '../../../src/cli/arguments.ts';

const read = (...args: string[]) => readCommandLine(['export', 'query.graphql', ...args]);

describe('the name of the file tells its format', () => {
  test.each([
    ['rows.csv', { format: 'csv', isCompressed: false }],
    ['a.b/rows.x.csv.gz', { format: 'csv', isCompressed: true }],
    ['rows.ndjson', { format: 'ndjson', isCompressed: false }],
    ['rows.ndjson.gz', { format: 'ndjson', isCompressed: true }],
    ['rows.parquet', { format: 'parquet', isCompressed: false }],
    ['-', { format: 'ndjson', isCompressed: false, out: undefined }],
  ])('%s', (out, options) => {
    expect(read('--out', out)).toMatchObject({ command: 'export', document: 'query.graphql', ...options });
  });

  test('unless --format does', () => {
    expect(read('--out', 'rows.csv.gz', '--format', 'ndjson')).toMatchObject({
      format: 'ndjson',
      isCompressed: true,
    });
    expect(read('--out', '-', '--format', 'csv')).toMatchObject({ format: 'csv', out: undefined });
  });
});

test('options have values', () => {
  const args = ['--variables', '{"a":1}', '--operation', 'Q', '--url', 'x', '--resume', '--quiet'];
  expect(
    read('--out', 'rows.csv', ...args, '--separator', 'tab', '--decimal', ',', '--bom', '--formulas'),
  ).toEqual({
    command: 'export',
    document: 'query.graphql',
    variables: { a: 1 },
    operation: 'Q',
    out: 'rows.csv',
    format: 'csv',
    isCompressed: false,
    csv: { separator: '\t', decimal: ',', bom: true, formulas: true },
    url: 'x',
    resume: true,
    quiet: true,
  });
});

const CSV = ['--out', 'rows.csv'];

test.each([
  ['no file', [], 'export needs --out with a file, or - for standard output'],
  ['a file of no format', ['--out', 'rows.xlsx'], '--out takes a file that ends in .csv, .ndjson, .parquet,'],
  ['a file without an ending', ['--out', 'csv'], '--out takes a file that ends in .csv, .ndjson, .parquet,'],
  ['an unknown format', ['--out', 'x', '--format', 'xml'], '--format takes csv, ndjson or parquet'],
  ['Parquet to a pipe', ['--out', '-', '--format', 'parquet'], 'Parquet needs a file as --out'],
  ['Parquet in gzip', ['--out', 'x.parquet.gz'], 'Parquet is compressed already: leave out .gz'],
  ['a pipe that is resumed', ['--out', '-', '--resume'], '--resume needs a file as --out'],
  ['a separator of JSON', ['--out', 'x.ndjson', '--separator', ';'], '--separator is only for CSV'],
  ['another separator', [...CSV, '--separator', '|'], "--separator takes a comma, ';' or tab"],
  ['a decimal comma of JSON', ['--out', 'x.ndjson', '--decimal', ','], '--decimal is only for CSV'],
  ['another decimal sign', [...CSV, '--decimal', ';'], '--decimal takes a point or a comma'],
  ['an option given twice', [...CSV, ...CSV], '--out is given twice'],
  ['a flag given twice', [...CSV, '--bom', '--bom'], '--bom is given twice'],
  ['variables that are none', [...CSV, '--variables', '[1]'], '--variables takes a JSON object'],
  ['variables that are no JSON', [...CSV, '--variables', '{a:1}'], '--variables takes a JSON object'],
])('%s is refused', (_what, args, message) => {
  expect(() => read(...args)).toThrow(message);
});
