import fc from 'fast-check';
import { isObjectType } from 'graphql';
import { expect, test, vi } from 'vitest';
import { createOrder } from '../../src/lists/order.ts';
import { TextRules } from '../../src/lists/text-rules.ts';
import { WIRE_TEXT } from '../../src/rest/wire-text.ts';
import { recordFieldsOf } from '../../src/schema/fields/record.ts';
import { schema } from '../../src/schema/index.ts';

const debtor = schema.getType('Debtor');
const field = isObjectType(debtor) ? recordFieldsOf(debtor).get('name') : undefined;
if (field === undefined || field.shape.kind !== 'text') throw new Error('A debtor has no name');
const column = { names: ['name'], path: [field.restName], lists: [], shape: field.shape };
const options = { rules: new TextRules('nl'), text: WIRE_TEXT, onUnreadable: () => {} };
const order = createOrder([{ column, isDescending: false }], options);

/** Letters that become longer, shorter or others when they are folded, and halves of pairs. */
const letter = fc.constantFrom('a', 'ß', 'æ', 'ĳ', 'ﬁ', 'é', '\u0301', '\u00ad', '😀', 'ǅ', ' ');
const text = fc.array(letter, { minLength: 150, maxLength: 300 }).map((letters) => letters.join(''));

test('a place that was written into a cursor is the same place when it is read again', () => {
  fc.assert(
    fc.property(text, (name) => {
      const place = order.placeOf({ id: WIRE_TEXT.encode('1'), name: WIRE_TEXT.encode(name) } as never);
      const read = order.decode(JSON.parse(JSON.stringify(order.encode(place))));
      for (const next of read?.preparations ?? []) while (next());
      expect(read?.place).toEqual(place);
    }),
  );
});

test('a place that somebody has made up is not folded at once, which could take long', () => {
  const rules = new TextRules('nl');
  const fold = vi.spyOn(rules, 'fold');
  const { placeOf, encode, decode } = createOrder([{ column, isDescending: false }], { ...options, rules });
  const [name] = encode(placeOf({ id: WIRE_TEXT.encode('1') } as never));
  const given = decode([name, 'ÉÈ'.repeat(100), '1']);
  expect(fold).not.toHaveBeenCalled();
  const [next] = given?.preparations ?? [];
  // Letter by letter, and then the text.
  expect([next?.(), next?.(), next?.()]).toEqual([true, true, false]);
  expect(given?.place).toEqual({ values: ['e'.repeat(200)], id: '1' });
});
