import { badInput } from '../rest/errors.ts';
import { type Fields, LEAF, mergeAll } from '../rest/fields.ts';
import type { Row } from '../rest/resource.ts';
import {
  type Column,
  compareIds,
  compareValues,
  type OnUnreadable,
  rawValues,
  readValue,
  type Value,
} from './columns.ts';
import { fold, type TextOrder } from './text.ts';
import { decimalText, parseDecimal } from './values.ts';

/** One criterion of an order. */
export interface Criterion {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** The place of a row in an order: what it is ordered by, texts folded, and its id, which no two rows share. */
export interface OrderedPlace {
  readonly values: readonly (Value | null)[];
  /** What is compared: of a text, its key. */
  readonly keys: readonly (Value | null)[];
  readonly id: string;
}

/** A text is ordered by its beginning, so that a place, which is part of a cursor, stays short. */
const MAX_TEXT_LENGTH = 200;
export const MAX_CRITERIA = 10;

export type Order = ReturnType<typeof createOrder>;

/** An order of rows: by its criteria, with null last, and then by id. */
export function createOrder(
  criteria: readonly Criterion[],
  { order: textOrder, onUnreadable }: { readonly order: TextOrder; readonly onUnreadable: OnUnreadable },
) {
  if (criteria.length > MAX_CRITERIA) throw badInput(`\`orderBy\` takes at most ${MAX_CRITERIA} fields.`);
  const ownName = criteria
    .map(({ column, isDescending }) => `${column.names.join('.')}${isDescending ? '-' : '+'}`)
    .join();
  const placeAt = (values: readonly (Value | null)[], id: string): OrderedPlace => ({
    values,
    keys: values.map((value, index) => {
      const isText = typeof value === 'string' && criteria[index]?.column.member.kind === 'text';
      return isText ? textOrder(value) : value;
    }),
    id,
  });

  return {
    /** The members that it reads. */
    reads: mergeAll(criteria.map(({ column }) => fieldsTo(column))),

    placeOf(row: Row): OrderedPlace {
      const values = criteria.map(({ column }) => {
        const [value] = rawValues(row, column, onUnreadable);
        return beginningOf(readValue(column.member, value, column.names.join('.'), onUnreadable));
      });
      return placeAt(values, row.internalId);
    },

    compare(a: OrderedPlace, b: OrderedPlace): number {
      for (let index = 0; index < criteria.length; index += 1) {
        const { column, isDescending = false } = criteria[index] ?? {};
        const one = a.keys[index] ?? null;
        const other = b.keys[index] ?? null;
        if (one === null || other === null) {
          if (one !== other) return one === null ? 1 : -1;
          continue;
        }
        const order = column ? compareValues(column.member, one, other) : 0;
        if (order !== 0) return isDescending ? -order : order;
      }
      return compareIds(a.id, b.id);
    },

    /** A place as plain data; `decode` reads it again. */
    encode({ values, id }: OrderedPlace): readonly unknown[] {
      const plain = values.map((value) => (typeof value === 'object' && value ? decimalText(value) : value));
      return [ownName, ...plain, id];
    },

    /** Undefined if it is no place in this order. */
    decode([name, ...plain]: readonly unknown[]): OrderedPlace | undefined {
      const id = plain.pop();
      if (name !== ownName || typeof id !== 'string' || plain.length !== criteria.length) return undefined;
      const values: (Value | null)[] = [];
      for (const [index, { column }] of criteria.entries()) {
        const value = valueFrom(column, plain[index]);
        if (value === undefined) return undefined;
        values.push(beginningOf(value));
      }
      return placeAt(values, id);
    },
  };
}

function beginningOf(value: Value | null): Value | null {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH).toWellFormed() : value;
}

function valueFrom({ member: { kind } }: Column, plain: unknown): Value | null | undefined {
  if (plain === null) return null;
  if (kind === 'int') return typeof plain === 'number' ? plain : undefined;
  if (kind === 'flag') return typeof plain === 'boolean' ? plain : undefined;
  if (typeof plain !== 'string') return undefined;
  // Folded already, unless somebody made it up.
  if (kind === 'text') return fold(plain.slice(0, MAX_TEXT_LENGTH));
  return kind === 'amount' ? parseDecimal(plain) : plain;
}

/** What to select, to read a column. */
export function fieldsTo({ names }: Column): Fields {
  return names.reduceRight<Fields>((members, name) => ({ [name]: members }), LEAF);
}
