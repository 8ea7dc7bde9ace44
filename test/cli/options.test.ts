import { expect, test } from 'vitest';
import { parseCommand } from '../../src/cli/arguments.ts';
import { readExportOptions } from '../../src/cli/export/options.ts';

test.each([
  [['--out', 'rows.csv'], { request: { format: 'csv' }, isCompressed: false }],
  [['--out', 'a.b/rows.x.csv.gz'], { request: { format: 'csv' }, isCompressed: true }],
  [['--out', '-'], { request: { format: 'ndjson' }, isCompressed: false, out: undefined }],
  [['--out', 'rows.csv.gz', '--format', 'ndjson'], { request: { format: 'ndjson' }, isCompressed: true }],
])('the name of a file determines the format of an export, unless --format does: %j', (args, options) => {
  expect(readExportOptions(parseCommand('export', ['query.graphql', ...args]))).toMatchObject({
    document: 'query.graphql',
    ...options,
  });
});

const CSV = ['--out', 'rows.csv'];

test.each([
  ['no file', [], 'export needs --out with a file, or - for standard output'],
  [
    'a file of no format',
    ['--out', 'rows.xlsx'],
    '--out takes a file that ends in .csv, .ndjson, .csv.gz or',
  ],
  ['an unknown format', ['--out', 'x', '--format', 'xml'], '--format takes csv or ndjson'],
  ['a pipe that is resumed', ['--out', '-', '--resume'], '--resume needs a file as --out'],
  [
    'a separator of JSON',
    ['--out', 'x.ndjson', '--separator', ';'],
    'There is no option separator for ndjson',
  ],
  ['another separator', [...CSV, '--separator', '|'], 'separator takes a comma, a semicolon (;) or tab.'],
  ['invalid variables', [...CSV, '--variables', '[1]'], '--variables takes a JSON object'],
])('export with %s is rejected', (_what, args, message) => {
  expect(() => readExportOptions(parseCommand('export', ['query.graphql', ...args]))).toThrow(message);
});
