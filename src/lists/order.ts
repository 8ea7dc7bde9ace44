import { badInput } from '../rest/errors.ts';
import { mergeAll } from '../rest/fields.ts';
import type { Row } from '../rest/resource.ts';
import {
  type Column,
  compareIds,
  compareValues,
  fieldsTo,
  parseValue,
  type Unreadable,
  type Value,
  valuesIn,
} from './columns.ts';
import type { TextOrder } from './text.ts';
import { decimalText } from './values.ts';

/** One criterion of an order, of rows by their columns. */
export interface Criterion<Field = Column> {
  readonly field: Field;
  readonly direction: 'ASC' | 'DESC';
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
const MAX_CRITERIA = 10;

export type Order = ReturnType<typeof createOrder>;

/** Each takes its time for every comparison. */
export function requireFewCriteria(criteria: readonly unknown[]): void {
  if (criteria.length > MAX_CRITERIA) throw badInput(`\`orderBy\` takes at most ${MAX_CRITERIA} fields.`);
}

/** An order of rows: by its criteria, with null last, and then by id. */
export function createOrder(criteria: readonly Criterion[], textOrder: TextOrder, unreadable: Unreadable) {
  requireFewCriteria(criteria);
  const ownName = criteria
    .map(({ field, direction }) => field.name + (direction === 'DESC' ? '-' : '+'))
    .join();
  const placeAt = (whole: readonly (Value | null)[], id: string): OrderedPlace => {
    const values = whole.map((value) =>
      typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH).toWellFormed() : value,
    );
    const keys = values.map((value, index) => {
      const isText = typeof value === 'string' && criteria[index]?.field.member.kind === 'text';
      return isText ? textOrder(value) : value;
    });
    return { values, keys, id };
  };

  return {
    /** The members that it reads. */
    reads: mergeAll(criteria.map(({ field }) => fieldsTo(field.names))),

    placeOf(row: Row): OrderedPlace {
      const values = criteria.map(({ field }) => valuesIn(row, field, unreadable)[0]?.value ?? null);
      return placeAt(values, row.internalId);
    },

    compare(a: OrderedPlace, b: OrderedPlace): number {
      // By index: an iterator takes half of the time of a sort.
      for (let index = 0; index < criteria.length; index += 1) {
        const { field, direction } = criteria[index] ?? {};
        const one = a.keys[index] ?? null;
        const other = b.keys[index] ?? null;
        if (one === null || other === null) {
          if (one !== other) return one === null ? 1 : -1;
        } else if (field) {
          const order = compareValues(field.member, one, other);
          if (order !== 0) return direction === 'DESC' ? -order : order;
        }
      }
      return compareIds(a.id, b.id);
    },

    /** A place as plain data; `decode` reads it again. */
    encode({ values, id }: OrderedPlace): readonly unknown[] {
      const plain = values.map((value) => (typeof value === 'object' && value ? decimalText(value) : value));
      return [ownName, ...plain, id];
    },

    /** Undefined if it is no place in this order. What somebody made up is as good as any other place. */
    decode([name, ...plain]: readonly unknown[]): OrderedPlace | undefined {
      const id = plain.pop();
      if (name !== ownName || typeof id !== 'string' || plain.length !== criteria.length) return undefined;
      const values = criteria.map(({ field: { member } }, index) => {
        const value = plain[index];
        // A moment was written as it is compared.
        const isWritten = value === null || (member.kind === 'moment' && typeof value === 'string');
        return isWritten ? value : parseValue(member, value);
      });
      return values.every((value) => value !== undefined) ? placeAt(values, id) : undefined;
    },
  };
}
