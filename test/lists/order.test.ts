import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf } from '../../src/lists/columns.ts';
import { createOrder } from '../../src/lists/order.ts';
import { textOrder } from '../../src/lists/text.ts';
import { text } from '../../src/rest/values.ts';

const [column] = columnsOf({ name: text.optional('Name.') });
if (column === undefined) throw new Error('There is no column');
const order = createOrder([{ column, isDescending: false }], textOrder('nl'), new Set());

/** Letters that become longer, shorter or others when they are folded, and halves of pairs. */
const letter = fc.constantFrom('a', 'ß', 'æ', 'ĳ', 'ﬁ', 'é', '\u0301', '\u00ad', '😀', 'ǅ', ' ');
const name = fc.array(letter, { minLength: 150, maxLength: 300 }).map((letters) => letters.join(''));

test('a place that was written into a cursor is the same place when it is read again', () => {
  fc.assert(
    fc.property(name, (given) => {
      const place = order.placeOf({ internalId: '1', name: given });
      expect(order.decode(JSON.parse(JSON.stringify(order.encode(place))))).toEqual(place);
    }),
  );
});
