import { badInput } from '../rest/errors.ts';
import { type Fields, LEAF, mergeAll } from '../rest/fields.ts';
import type { Row } from '../rest/resource.ts';
import {
  type Column,
  compareIds,
  compareValues,
  readColumn,
  type Value,
  type ValueOptions,
} from './record-fields.ts';
import type { Preparation } from './value-test.ts';
import { decimalText, parseDecimal } from './values.ts';

/** One criterion of an order. */
export interface Criterion {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** The place of a record in an order: what it is ordered by, texts folded, and its id, which no two records share. */
export interface OrderedPlace {
  readonly values: readonly (Value | null)[];
  readonly id: string;
}

/** A place that a caller gives. */
export interface GivenPlace {
  readonly place: OrderedPlace;
  /** Each has to be called before the place is compared, until nothing is left of it. */
  readonly preparations: readonly Preparation[];
}

/** A text is ordered by its beginning, so that a place, which is part of a cursor, stays short. */
const MAX_TEXT_LENGTH = 200;
export const MAX_CRITERIA = 10;

export type Order = ReturnType<typeof createOrder>;

/** An order of records: by its criteria, with null last, and then by id. */
export function createOrder(criteria: readonly Criterion[], options: ValueOptions) {
  if (criteria.length > MAX_CRITERIA) throw badInput(`\`orderBy\` takes at most ${MAX_CRITERIA} fields.`);
  const ownName = criteria
    .map(({ column, isDescending }) => `${column.path.join('.')}${isDescending ? '-' : '+'}`)
    .join();

  return {
    /** The REST fields that it reads. */
    reads: mergeAll(criteria.map(({ column }) => fieldsTo(column))),

    placeOf(row: Row): OrderedPlace {
      const values = criteria.map(({ column }) => {
        const [value = null] = readColumn(row, column, options);
        const start = beginningOf(value);
        const isFolded = typeof start === 'string' && column.shape.kind === 'text';
        // Folded, it may be longer.
        return isFolded ? beginningOf(options.rules.fold(start)) : start;
      });
      return { values, id: options.text.decode(row.id) };
    },

    compare(a: OrderedPlace, b: OrderedPlace): number {
      for (const [index, { column, isDescending }] of criteria.entries()) {
        const [one = null, other = null] = [a.values[index], b.values[index]];
        if (one === null || other === null) {
          if (one !== other) return one === null ? 1 : -1;
          continue;
        }
        const order = compareValues(column.shape, one, other, options.rules);
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
    decode([name, ...plain]: readonly unknown[]): GivenPlace | undefined {
      const id = plain.pop();
      if (name !== ownName || typeof id !== 'string' || plain.length !== criteria.length) return undefined;
      const values: (Value | null)[] = [];
      const preparations: Preparation[] = [];
      for (const [index, { column }] of criteria.entries()) {
        const given = valueFrom(column, plain[index]);
        if (given === undefined) return undefined;
        const value = beginningOf(given);
        values.push(value);
        if (typeof value !== 'string' || column.shape.kind !== 'text') continue;
        // Folded already, unless somebody made it up, or it comes from a gateway with other rules.
        const folding = options.rules.foldAll([value]);
        preparations.push(() => {
          const isMoreLeft = folding.foldNext();
          for (const text of folding.texts) values[index] = beginningOf(text);
          return isMoreLeft;
        });
      }
      return { place: { values, id }, preparations };
    },
  };
}

function beginningOf(value: Value | null): Value | null {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH).toWellFormed() : value;
}

function valueFrom({ shape: { kind } }: Column, plain: unknown): Value | null | undefined {
  if (plain === null) return null;
  if (kind === 'int') return typeof plain === 'number' ? plain : undefined;
  if (kind === 'boolean') return typeof plain === 'boolean' ? plain : undefined;
  if (typeof plain !== 'string') return undefined;
  return kind === 'amount' ? parseDecimal(plain) : plain;
}

/** What to ask the service for, to read a column. */
export function fieldsTo({ path }: Column): Fields {
  return path.reduceRight<Fields>((members, restName) => ({ [restName]: members }), LEAF);
}
