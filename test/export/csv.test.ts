import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvColumn, csvWriter } from '../../src/export/csv.ts';
import { casesOf } from '../support/search.ts';

const OPTIONS = { separator: ',', guardsFormulas: true, decimal: '.' } as const;
const text = (name: string): CsvColumn => ({ name, type: 'String', isList: false });
const value = (name: string): CsvColumn => ({ name, type: 'Float', isList: false });

function cell(
  content: unknown,
  options: Parameters<typeof csvWriter>[1] = OPTIONS,
  column = text('a'),
): string {
  return csvWriter([column, text('b')], options)
    .row({ a: content, b: 'x' })
    .slice(0, -4);
}

describe('a decimal comma', () => {
  const DUTCH = { separator: ';', guardsFormulas: true, decimal: ',' } as const;
  const amount: CsvColumn = { ...value('a'), type: 'Amount' };

  test.each<
    [what: string, content: unknown, written: string, options: typeof DUTCH | object, column: CsvColumn]
  >([
    ['an amount', '1234.50', '1234,50', DUTCH, amount],
    ['a negative amount, which is no formula', '-0.05', '-0,05', DUTCH, amount],
    ['an amount between commas', '1.5', '"1,5"', { ...DUTCH, separator: ',' }, amount],
    ['an amount without decimals', '12', '12', DUTCH, amount],
    ['nothing', null, '', DUTCH, amount],
    ['what is no amount after all', '=1.5', "'=1.5", DUTCH, amount],
    ['a text that looks like one', '1.5', '1.5', DUTCH, text('a')],
    ['an amount, where none is asked for', '1.5', '1.5', OPTIONS, amount],
  ])('%s', (_what, content, written, options, column) => {
    expect(cell(content, { ...OPTIONS, ...options }, column)).toBe(written);
  });
});

describe('a cell', () => {
  test.each<[what: string, content: unknown, written: string]>([
    ['text', 'Jansen', 'Jansen'],
    ['nothing', null, ''],
    ['a field that is absent', undefined, ''],
    ['an empty text, which is not nothing', '', '""'],
    ['the separator', 'a,b', '"a,b"'],
    ['quotes', 'the "best"', '"the ""best"""'],
    ['a line end', 'a\nb', '"a\nb"'],
    ['a whole number', -17, '-17'],
    ['a boolean', false, 'false'],
    ['a list', ['a', 'b'], 'a; b'],
    ['a list with nothing in it', ['a', null, 'b'], 'a; ; b'],
    ['an empty list', [], '""'],
    ['a list whose texts need quotes', ['a,b', 'c'], '"a,b; c"'],
  ])('holds %s', (_what, content, written) => {
    const isNumber = typeof content === 'number';
    expect(cell(content, OPTIONS, isNumber ? value('a') : text('a'))).toBe(written);
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+31 20 555', "'+31 20 555"],
    ['-x', "'-x"],
    ['@sum', "'@sum"],
    [' =1', " '=1"],
    ['\u000b\u001f\u0000=1', "\u000b\u001f\u0000'=1"],
    ['\t=1', "\t'=1"],
    ['x;=cmd()', "x;'=cmd()"],
    ['x; -y;+z', "x; '-y;'+z"],
    ['x\t@y', "x\t'@y"],
    ['a, -b', `"a, '-b"`],
    ['- a\n- b', `"'- a\n'- b"`],
    ['x;"=cmd()"', `"x;""'=cmd()"""`],
    ['-1', "'-1"],
  ])('guards the formulas of %j', (content, written) => {
    expect(cell(content)).toBe(written);
    expect(cell(content, { ...OPTIONS, guardsFormulas: false })).toBe(written.replaceAll("'", ''));
  });

  test.each(['a=1', "'=1", '1-1', '.5', 'a - b', 'a;b=c', 'me@x.nl; you@x.nl'])(
    'leaves the text %j as it is',
    (content) => {
      expect(cell(content)).toBe(content);
    },
  );

  test.each(['-12.50', '+3', '-0', '-1000073.12', '2024-05-01T00:00:00+02:00', '-0044-03-15T00:00:00Z'])(
    'leaves the amount or moment %s as it is',
    (content) => expect(cell(content, OPTIONS, value('a'))).toBe(content),
  );

  test.each(['=HYPERLINK("x")', '-1+cmd|x', '@x', '+a'])('guards %j in place of an amount', (content) => {
    expect(cell(content, OPTIONS, value('a'))).toContain(`'${content.slice(0, 3)}`);
  });

  test.each([
    [';', 'a;b', '"a;b"'],
    [';', 'a,b', 'a,b'],
    ['\t', 'a\tb', '"a\tb"'],
  ])('is quoted for the separator %j', (separator, content, written) => {
    expect(cell(content, { ...OPTIONS, separator })).toBe(written);
  });
});

describe('a row', () => {
  test('has its columns in order, from nested objects and lists', () => {
    const columns = [text('labels.name'), text('postalAddress.city'), value('n')];
    const writer = csvWriter(columns, OPTIONS);
    expect(writer.header()).toBe('labels.name,postalAddress.city,n\r\n');
    const row = { n: 1, postalAddress: { city: 'Łódź' }, labels: [{ name: 'a' }, { name: 'b' }] };
    expect(writer.row(row)).toBe('a; b,Łódź,1\r\n');
    expect(writer.row({ n: null, postalAddress: null, labels: null })).toBe(',,\r\n');
  });

  test.each([null, ''])('of one column is a row to every reader, with %j too', (content) => {
    expect(csvWriter([text('a')], OPTIONS).row({ a: content })).toBe('""\r\n');
  });
});

describe('whichever separator a reader expects', () => {
  const special = fc.constantFrom(...`=+-@'"";;,,\t\t\r\n  a1.`);
  const anyText = fc.array(special, { maxLength: 12 }).map((letters) => letters.join(''));
  const number = fc.constantFrom('-12.50', '+3', '-0044-03-15T00:00:00Z', '-1; -2', '=1', '-1;=x');
  const NUMBER = /^[+-](\d+(\.\d+)?|\d{4,}-\d\d[\d:.TZ+-]*)$/;
  /** If the reader expects another separator, a cell may go on behind a number. */
  const isSafe = (found: string, own: string) =>
    !/^[ "]*[=+\-@]/.test(found) || NUMBER.test(found.split(own)[0] ?? '');

  /** As a spreadsheet reads them: a quote opens at the start of a cell alone, and what follows its end is text too. */
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

  test('no cell of a file is a formula', () => {
    const columns = [text('a'), value('n'), text('b')];
    fc.assert(
      fc.property(
        fc.record({ a: anyText, n: number, b: anyText }),
        fc.constantFrom(',', ';', '\t'),
        (row, own) => {
          const file = csvWriter(columns, { ...OPTIONS, separator: own }).row(row);
          for (const separator of [',', ';', '\t']) {
            const naive = file.split(/[\r\n]/).flatMap((line) => line.split(separator));
            expect([...naive, ...cellsOf(file, separator)].filter((found) => !isSafe(found, own))).toEqual(
              [],
            );
          }
        },
      ),
      { numRuns: casesOf({ short: 200, long: 2_000 }) },
    );
  });

  test('a text is changed by apostrophes in front of formulas alone', () => {
    const withoutGuards = (found: string) => found.replace(/'(?=[=+\-@])|^'(?=[\t\r])/g, '');
    fc.assert(
      fc.property(anyText, (content) => {
        const row = csvWriter([text('a'), value('n')], OPTIONS).row({ a: content, n: 1 });
        const [[read = ''] = []]: string[][] = parse(row);
        expect(withoutGuards(read)).toBe(withoutGuards(content));
      }),
      { numRuns: casesOf({ short: 200, long: 2_000 }) },
    );
  });
});
