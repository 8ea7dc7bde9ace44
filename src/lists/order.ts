import { badInput } from '../rest/errors.ts';
import { mergeAll } from '../rest/fields.ts';
import type { Row } from '../rest/resource.ts';
import {
  type Column,
  compareIds,
  compareValues,
  createPathTree,
  parseValue,
  readColumn,
  type Unreadable,
  type Value,
} from './columns.ts';
import { type Collation, SORTED_LENGTH } from './text.ts';
import { formatDecimal } from './values.ts';

export interface Criterion<Field = Column> {
  readonly field: Field;
  readonly direction: 'ASC' | 'DESC';
}

/** The position of a row in an order: its normalized values and its id, which is unique. */
export interface SortPosition {
  readonly values: readonly (Value | null)[];
  /** The values as they are compared: a text is replaced by its sort key. */
  readonly keys: readonly (Value | null)[];
  readonly id: string;
}

const MAX_CRITERIA = 10;

export type Sorter = ReturnType<typeof createSorter>;

/** Each criterion costs time in every comparison. */
export function requireFewCriteria(criteria: readonly unknown[]): void {
  if (criteria.length > MAX_CRITERIA) throw badInput(`\`orderBy\` takes at most ${MAX_CRITERIA} fields.`);
}

/** Orders rows by the criteria, nulls last, and then by id. */
export function createSorter(criteria: readonly Criterion[], collation: Collation, unreadable: Unreadable) {
  requireFewCriteria(criteria);
  const isText = criteria.map(({ field }) => field.member.kind === 'text');
  const suffix = collation.name && `@${collation.name}`;
  const sorterName = criteria
    .map(
      ({ field, direction }, index) =>
        `${field.name}${isText[index] ? suffix : ''}${direction === 'DESC' ? '-' : '+'}`,
    )
    .join();
  const normalize = (index: number, raw: unknown, value: Value) =>
    isText[index] ? collation.normalize(String(raw), String(value)) : value;
  const createPosition = (fullValues: readonly (Value | null)[], id: string): SortPosition => {
    const values = fullValues.map((value) =>
      typeof value === 'string' ? value.slice(0, SORTED_LENGTH).toWellFormed() : value,
    );
    const keys = values.map((value, index) =>
      isText[index] && typeof value === 'string' ? collation.sortKey(value) : value,
    );
    return { values, keys, id };
  };

  return {
    requiredFields: mergeAll(criteria.map(({ field }) => createPathTree(field.names))),

    getPosition(row: Row): SortPosition {
      const values = criteria.map(({ field }, index) => {
        const [first] = readColumn(row, field, unreadable);
        return first ? normalize(index, first.raw, first.value) : null;
      });
      return createPosition(values, row.internalId);
    },

    compare(a: SortPosition, b: SortPosition): number {
      // An iterator would double the time of a sort.
      for (let index = 0; index < criteria.length; index += 1) {
        const { field, direction } = criteria[index] ?? {};
        const keyA = a.keys[index] ?? null;
        const keyB = b.keys[index] ?? null;
        if (keyA === null || keyB === null) {
          if (keyA !== keyB) return keyA === null ? 1 : -1;
        } else if (field) {
          const order = compareValues(field.member, keyA, keyB);
          if (order !== 0) return direction === 'DESC' ? -order : order;
        }
      }
      return compareIds(a.id, b.id);
    },

    /** Returns the position as plain data for a cursor. */
    encode({ values, id }: SortPosition): readonly unknown[] {
      const plain = values.map((each) => (typeof each === 'object' && each ? formatDecimal(each) : each));
      return [sorterName, ...plain, id];
    },

    /** Returns undefined if the cursor belongs to another order. Forged positions are harmless. */
    decode([name, ...plain]: readonly unknown[]): SortPosition | undefined {
      const id = plain.pop();
      if (name !== sorterName || typeof id !== 'string' || plain.length !== criteria.length) return undefined;
      const values = criteria.map(({ field: { member } }, index) => {
        const raw = plain[index];
        if (raw === null || (member.kind === 'timestamp' && typeof raw === 'string')) return raw;
        const value = parseValue(member, raw);
        return value === undefined ? undefined : normalize(index, raw, value);
      });
      return values.every((value) => value !== undefined) ? createPosition(values, id) : undefined;
    },
  };
}
