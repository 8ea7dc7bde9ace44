import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromLatin1, parseJsonAsLatin1, parseLargeJsonAsLatin1, toLatin1 } from '../../src/rest/latin1.ts';

/** What an answer that holds this would be sent as. */
function written(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'latin1').toString('utf8');
}

/** As services write it that keep to ASCII. */
function escaped(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

describe('bytes', () => {
  test('stand for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fromLatin1(toLatin1(text))).toBe(text);
        expect(toLatin1(text)).toHaveLength(Buffer.byteLength(text));
      }),
    );
  });

  test.each([
    ['as they are', (json: string) => json],
    ['in escapes', escaped],
    ['in needless escapes', (json: string) => json.replaceAll(' ', '\\u0020')],
  ])('of JSON come out as they went in, characters being %s', (_how, write) => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const json = JSON.stringify(value);
        expect(written(parseJsonAsLatin1(Buffer.from(write(json))))).toBe(json);
      }),
    );
  });

  test.each([
    ['as they are', (json: string) => json],
    ['in escapes', escaped],
  ])('of large JSON come out in the same way, characters being %s', async (_how, write) => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: 'grapheme' }), async (value) => {
        const body = Buffer.from(write(JSON.stringify(value)));
        expect(await parseLargeJsonAsLatin1(body)).toEqual(parseJsonAsLatin1(body));
      }),
    );
  });

  test('of large JSON that are no text, or no JSON, are nothing', async () => {
    expect(await parseLargeJsonAsLatin1(Buffer.from('["caf\xe9"]', 'latin1'))).toBeUndefined();
    expect(await parseLargeJsonAsLatin1(Buffer.from('["\\u20ac"'))).toBeUndefined();
  });

  test('that are no text become a sign that says so', () => {
    const body = Buffer.from('["caf\xe9"]', 'latin1');
    expect(written(parseJsonAsLatin1(body))).toBe('["caf\ufffd"]');
  });

  test('of half a character stay an escape', () => {
    expect(written(parseJsonAsLatin1(Buffer.from('["\\ud800\\u00e9"]')))).toBe('["\\ud800é"]');
  });

  test.each(['', '{', '["\\u12"]', '[\xff]'])('that are no JSON are nothing: %j', (text) => {
    expect(parseJsonAsLatin1(Buffer.from(text, 'latin1'))).toBeUndefined();
  });
});
