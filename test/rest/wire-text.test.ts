import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { DECODED_TEXT, type TextCodec, WIRE_TEXT, type WireText } from '../../src/rest/wire-text.ts';
import { anyCharacter } from '../support/characters.ts';

const goOn = async () => true;

/** What a response that holds this would be sent as. */
function written(value: unknown, { encoding }: TextCodec): string {
  return Buffer.from(JSON.stringify(value), encoding).toString('utf8');
}

/** As services write it that keep to ASCII. */
function escaped(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Halves of surrogate pairs included, which JSON can escape. */
const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: anyCharacter }), halves());

function halves() {
  const unit = fc.constantFrom('\ud83d', '\ude00', 'é', '漢', 'a');
  return fc.array(unit).map((units) => units.join(''));
}

describe.each([WIRE_TEXT, DECODED_TEXT])('text to be written as $encoding', (text) => {
  test('stands for any text', () => {
    fc.assert(
      fc.property(anyText, (ordinary) => {
        expect(text.decode(text.encode(ordinary))).toBe(ordinary);
        expect(written(text.encode(ordinary), text)).toBe(JSON.stringify(ordinary));
      }),
    );
  });

  test('is what is parsed, so that it can be compared', () => {
    fc.assert(
      fc.property(anyText, (ordinary) => {
        expect(text.parse(Buffer.from(JSON.stringify(ordinary)))).toBe(text.encode(ordinary));
      }),
    );
  });

  test('has the bytes of UTF-8, and so has JSON of it', () => {
    fc.assert(
      fc.property(anyText, (ordinary) => {
        const encoded = text.encode(ordinary);
        expect(Buffer.from(text.bytes(encoded), 'latin1')).toEqual(Buffer.from(ordinary));
        expect(Buffer.from(text.jsonBytes([encoded]), 'latin1')).toEqual(
          Buffer.from(JSON.stringify([ordinary])),
        );
      }),
    );
  });

  test('stands in JSON of the gateway and of the service', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        expect(JSON.stringify(text.decodeJson(text.encodeJson(value)))).toBe(JSON.stringify(value));
        expect(written(text.encodeJson(value), text)).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each([
    ['as they are', (json: string) => json],
    ['in escapes', escaped],
    ['in needless escapes', (json: string) => json.replaceAll(' ', '\\u0020')],
  ])('comes out of JSON as it went in, characters being %s', async (_how, write) => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: 'grapheme' }), async (value) => {
        const json = JSON.stringify(value);
        const body = Buffer.from(write(json));
        expect(written(text.parse(body), text)).toBe(json);
        expect(written(await text.parseLarge(body, goOn), text)).toBe(json);
      }),
    );
  });

  test('of large JSON that is no UTF-8, or no JSON, is nothing', async () => {
    expect(await text.parseLarge(Buffer.from('["caf\xe9"]', 'latin1'), goOn)).toBeUndefined();
    expect(await text.parseLarge(Buffer.from('["\\u20ac"'), goOn)).toBeUndefined();
  });

  test('of large JSON that nobody waits for any more is not worked out', async () => {
    for (const turns of [0, 1, 2, 3]) {
      let pauses = 0;
      const body = await text.parseLarge(Buffer.from('["\\u20ac"]'), async () => pauses++ < turns);
      expect(body === undefined).toBe(pauses > turns);
    }
  });

  test('that is no UTF-8 becomes a sign that says so', () => {
    const body = Buffer.from('["caf\xe9"]', 'latin1');
    expect(written(text.parse(body), text)).toBe('["caf\ufffd"]');
  });

  test('of half a character stays an escape', () => {
    expect(written(text.parse(Buffer.from('["\\ud800\\u00e9"]')), text)).toBe('["\\ud800é"]');
  });

  test.each(['', '{', '["\\u12"]', '[\xff]', '\ufeff[]'])('that is no JSON is nothing: %j', (body) => {
    expect(text.parse(Buffer.from(body, 'latin1'))).toBeUndefined();
  });
});

test('text of the service is no string, for the compiler', () => {
  expectTypeOf<WireText>().not.toExtend<string>();
  expectTypeOf<string>().not.toExtend<WireText>();
});
