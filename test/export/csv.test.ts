import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CsvColumn, createRowFormat } from '../../src/export/csv.ts';
import { casesOf } from '../support/search.ts';

const OPTIONS = {
  format: 'csv',
  bom: false,
  separator: ',',
  guardsFormulas: true,
  decimal: '.',
  keepsPhones: false,
  timeZone: undefined,
} as const;
const text = (name: string): CsvColumn => ({ name, type: 'String', isList: false });
const value = (name: string): CsvColumn => ({ name, type: 'Amount', isList: false });

const amount: CsvColumn = { ...value('a'), type: 'Amount' };
const UNGUARDED = { guardsFormulas: false };
const moment: CsvColumn = { ...value('a'), type: 'DateTime' };
const PHONES = { keepsPhones: true };
const LOCAL = { timeZone: 'Europe/Amsterdam' };
const DUTCH = { separator: ';', decimal: ',' } as const;

test.each<
  [content: unknown, written: string, options?: Partial<Parameters<typeof createRowFormat>[1]>, CsvColumn?]
>([
  ['Jansen', 'Jansen'],
  [null, ''],
  ['', '""'],
  ['a,b', '"a,b"'],
  ['the "best"', '"the ""best"""'],
  [-17, '-17', {}, value('a')],
  [['a', null, 'b'], 'a; ; b'],
  [[], '""'],
  [['a,b', 'c'], '"a,b; c"'],
  ['a;b', '"a;b"', { separator: ';' }],
  ['a\tb', '"a\tb"', { separator: '\t' }],
  // Formulas, and what only looks like one.
  ['=1+1', "'=1+1"],
  ['=1+1', '=1+1', UNGUARDED],
  [' =1', " '=1"],
  ['\u000b\u001f\u0000=1', "\u000b\u001f\u0000'=1"],
  ['x; -y;+z', "x; '-y;'+z"],
  ['a, -b', `"a, '-b"`],
  ['x;"=cmd()"', `"x;""'=cmd()"""`],
  ['a=1; me@x.nl - b', 'a=1; me@x.nl - b'],
  ['-1000073.12', '-1000073.12', {}, value('a')],
  ['-0044-03-15T00:00:00+02:00', '-0044-03-15T00:00:00+02:00', {}, value('a')],
  ['-1+cmd|x', "'-1+cmd|x", {}, value('a')],
  // A decimal comma.
  ['1234.50', '1234,50', DUTCH, amount],
  ['-0.05', '-0,05', DUTCH, amount],
  ['1.5', '"1,5"', { decimal: ',' }, amount],
  ['=1.5', "'=1.5", DUTCH, amount],
  ['1.5', '1.5', DUTCH],
  // Phone numbers.
  ['+31 6 12345678', "'+31 6 12345678"],
  ['+31 6 12345678', '+31 6 12345678', PHONES],
  ['+31 6 12345678-1', "'+31 6 12345678-1", PHONES],
  ['+1+cmd', "'+1+cmd", PHONES],
  ['+1\t=1', "'+1\t'=1", PHONES],
  [' +1', " '+1", PHONES],
  [['+31 6', '=1'], "'+31 6; '=1", PHONES],
  ['-1', "'-1", PHONES],
  // Local dates.
  ['2025-06-30T22:17:17.25Z', '2025-07-01 00:17:17', LOCAL, moment],
  ['2025-06-30T23:17:17-01:00', '2025-07-01 02:17:17', LOCAL, moment],
  [['2025-01-01T00:00:00Z', null], '2025-01-01 01:00:00; ', LOCAL, moment],
  ['2025-06-30T22:17:17Z', '2025-06-30T22:17:17Z', LOCAL],
  ['2025-06-30T22:17:17Z', '2025-06-30 22:17:17', { timeZone: 'UTC' }, moment],
  ['=soon', "'=soon", LOCAL, moment],
])('the value %j is written as %j, options: %j', (content, written, options = {}, column = text('a')) => {
  const { formatRow } = createRowFormat([column, text('b')], { ...OPTIONS, ...options });
  expect(formatRow({ a: content, b: 'x' }).slice(0, -4)).toBe(written);
});

test.each([null, ''])('a row of one column that is %j is not an empty line', (content) => {
  expect(createRowFormat([text('a')], OPTIONS).formatRow({ a: content })).toBe('""\r\n');
});

const special = fc.constantFrom(...`=+-@'"";;,,\t\t\r\n  a1.`);
const anyText = fc.array(special, { maxLength: 12 }).map((letters) => letters.join(''));
const number = fc.constantFrom('-12.50', '+3', '-0044-03-15T00:00:00Z', '-1; -2', '=1', '-1;=x');
const NUMBER = /^[+-](\d+(\.\d+)?|\d{4,}-\d\d[\d:.TZ+-]*)$/;
/** If the reader expects another separator, a cell may continue after a number. */
const isSafe = (found: string, own: string) =>
  !/^[ "]*[=+\-@]/.test(found) || NUMBER.test(found.split(own)[0] ?? '');

/** Reads cells like a spreadsheet: only a quote at the start of a cell opens one, and text may follow its end. */
function cellsOf(file: string, separator: string): string[] {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\\r\\n]*)(?:[${separator}\\r\\n]|$)`,
    'y',
  );
  const cells: string[] = [];
  while (cell.lastIndex < file.length) {
    const [, quoted = '', rest = ''] = cell.exec(file) ?? expect.fail('there is a cell everywhere');
    cells.push(quoted.replaceAll('""', '"') + rest);
  }
  return cells;
}

test('no cell is a formula, whichever separator its reader expects', () => {
  const columns = [text('a'), value('n'), text('b')];
  fc.assert(
    fc.property(
      fc.record({ a: anyText, n: number, b: anyText }),
      fc.constantFrom(',', ';', '\t'),
      (row, own) => {
        const file = createRowFormat(columns, { ...OPTIONS, separator: own }).formatRow(row);
        for (const separator of [',', ';', '\t']) {
          const naive = file.split(/[\r\n]/).flatMap((line) => line.split(separator));
          expect([...naive, ...cellsOf(file, separator)].filter((found) => !isSafe(found, own))).toEqual([]);
        }
      },
    ),
    { numRuns: casesOf({ short: 200, long: 2_000 }) },
  );
});
