import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { type Column, CsvWriter } from '../../src/export/csv.ts';

const OPTIONS = { separator: ',', guardsFormulas: true };
const text = (name: string): Column => ({ name, path: name.split('.'), isText: true });
const value = (name: string): Column => ({ name, path: name.split('.'), isText: false });

function cell(content: unknown, options = OPTIONS, column = text('a')): string {
  return new CsvWriter([column, text('b')], options).row({ a: content, b: 'x' }).slice(0, -4);
}

describe('a cell', () => {
  test.each<[what: string, content: unknown, written: string]>([
    ['text', 'Jansen', 'Jansen'],
    ['letters of any script', 'Łódź 漢字 😀', 'Łódź 漢字 😀'],
    ['nothing', null, ''],
    ['a field that is absent', undefined, ''],
    ['an empty text, which is not nothing', '', '""'],
    ['the separator', 'a,b', '"a,b"'],
    ['quotes', 'the "best"', '"the ""best"""'],
    ['a line end', 'a\nb', '"a\nb"'],
    ['a return', 'a\rb', '"a\rb"'],
    ['another separator', 'a;b\tc', 'a;b\tc'],
    ['spaces around', ' a ', ' a '],
    ['a whole number', -17, '-17'],
    ['a fraction', 0.1, '0.1'],
    ['a boolean', false, 'false'],
    ['a list', ['a', 'b'], 'a; b'],
    ['a list with nothing in it', ['a', null, 'b'], 'a; ; b'],
    ['an empty list', [], '""'],
    ['a list whose texts need quotes', ['a,b', 'c'], '"a,b; c"'],
  ])('holds %s', (_what, content, written) => {
    const isNumber = typeof content === 'number';
    expect(cell(content, OPTIONS, isNumber ? value('a') : text('a'))).toBe(written);
  });

  test.each(['=1+1', '+31 20 555', '-x', '@sum', '\ttab', '\rreturn'])('guards the formula %j', (content) => {
    const written = cell(content);
    const guarded = `'${content}`;
    expect(written).toBe(content.startsWith('\r') ? `"${guarded}"` : guarded);
    expect(cell(content, { ...OPTIONS, guardsFormulas: false })).toBe(written.replace("'", ''));
  });

  test.each([' =1', 'a=1', "'=1", '1-1', '.5'])('leaves the text %j as it is', (content) => {
    expect(cell(content)).toBe(content);
  });

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
    const writer = new CsvWriter(columns, OPTIONS);
    expect(writer.header()).toBe('labels.name,postalAddress.city,n\r\n');
    const row = { n: 1, postalAddress: { city: 'Łódź' }, labels: [{ name: 'a' }, { name: 'b' }] };
    expect(writer.row(row)).toBe('a; b,Łódź,1\r\n');
    expect(writer.row({ n: null, postalAddress: null, labels: null })).toBe(',,\r\n');
  });

  test('of a single column is never an empty line', () => {
    const writer = new CsvWriter([text('a')], OPTIONS);
    expect(writer.row({ a: null })).toBe('""\r\n');
    expect(parse(writer.header() + writer.row({ a: null }) + writer.row({ a: '' }))).toEqual([
      ['a'],
      [''],
      [''],
    ]);
  });
});
