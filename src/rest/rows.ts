import { getOrCreate, lruMap, weakMemoize, weakMemoizePair } from '../memoize.ts';
import { InvalidValue, type RestError } from './errors.ts';
import { type Fields, fieldsParameter, LEAF } from './fields.ts';
import { isAbsent, isObject } from './json.ts';
import type { ReadRow, Row } from './resource.ts';
import { type Member, type Members, type RowOf, restNameOf } from './values.ts';

/** Makes a row of what the service sent: only what was selected is copied. */
type MakeRow = (record: object) => { readonly [member: string]: unknown };

/** One for all, in place of every value that is not what it may be: there may be as many as a body has values. */
const INVALID = new InvalidValue('not a value of this member');

type Read = (value: unknown) => unknown;

const orNull =
  (isValid: (value: unknown) => boolean): Read =>
  (value) =>
    isValid(value) ? value : isAbsent(value) ? null : INVALID;

const isText = orNull((value) => typeof value === 'string');

/** Shared by all members of a kind, so that V8 inlines them. */
const READERS: { readonly [kind in Exclude<Member['kind'], 'enum' | 'object'>]: Read } = {
  id: isText,
  text: isText,
  amount: isText,
  moment: isText,
  // A longer one does not fit into an Int of GraphQL.
  int: orNull((value) => typeof value === 'number' && value === (value | 0)),
  flag: orNull((value) => typeof value === 'boolean'),
};

function readerOf(member: Member, fields: Fields): Read {
  const { parse } = member;
  if (parse) return (value) => (isAbsent(value) ? null : (parse(value) ?? INVALID));
  const read = itemReaderOf(member, fields);
  if (!member.isList) return read;
  return (value) =>
    Array.isArray(value) ? value.map((item) => read(item)) : isAbsent(value) ? null : INVALID;
}

function itemReaderOf({ kind, members, names }: Member, fields: Fields): Read {
  if (members) {
    const make = compile(members, fields);
    return (value) => (isObject(value) ? make(value) : isAbsent(value) ? null : INVALID);
  }
  if (names)
    return (value) => (isAbsent(value) ? null : (typeof value === 'string' && names.get(value)) || INVALID);
  return kind === 'enum' || kind === 'object' ? () => INVALID : READERS[kind];
}

/**
 * Copies what was selected of a record into a row, under the names of rows, with checked values. As one literal it takes
 * a thirtieth of the time of a loop, and rows of one shape are written faster. All names in the code are declared ones.
 */
function compile<Table extends Members>(members: Table, fields: Fields): (record: object) => RowOf<Table> {
  const selected = Object.keys(fields).flatMap((name) => {
    const member = members[name];
    return member
      ? [{ name, restName: restNameOf(name, member), read: readerOf(member, fields[name] ?? {}) }]
      : [];
  });
  const literal = selected.map(
    ({ name, restName }, index) =>
      `${JSON.stringify(name)}: read${index}(record[${JSON.stringify(restName)}])`,
  );
  const factory = new Function(
    ...selected.map((_, index) => `read${index}`),
    `return (record) => ({ ${literal.join(', ')} });`,
  );
  return factory(...selected.map(({ read }) => read));
}

const makersByText = weakMemoize((_members: Members) => lruMap<MakeRow>(100));

/**
 * The function that makes rows with these fields. Remembered by their text too, since some selections are made anew for
 * each call.
 */
export const rowMaker = weakMemoizePair((members: Members, fields: Fields) =>
  getOrCreate<string, MakeRow>(makersByText(members), fieldsParameter(members, fields), () =>
    compile(members, fields),
  ),
);

/** The function that makes rows with all members, of what is sent whole. */
export function wholeRowMaker<Table extends Members>(members: Table): (record: object) => RowOf<Table> {
  return compile(members, allOf(members));
}

function allOf(members: Members): Fields {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, member.members ? allOf(member.members) : LEAF]),
  );
}

/** A longer id could not be sent to the service. */
const MAX_ID_LENGTH = 1000;

/** Whether a row that was just made has an id that is neither empty nor too long to be a cursor. */
export function isValidRow(row: unknown): row is Row {
  if (!isObject(row)) return false;
  const { internalId } = row;
  return typeof internalId === 'string' && internalId !== '' && internalId.length <= MAX_ID_LENGTH;
}

export const FOREIGN = 'records of another administration than the one asked for';

/**
 * A service that does not know a filter's name may ignore it and return records of every administration: such rows are
 * never passed on. A row without an administration belongs to the requested one.
 */
export function inAdministration(
  row: Row,
  administrationId: string,
  errorOf: (what: string) => RestError,
): ReadRow {
  const { administrationId: own } = row;
  if (own === administrationId) return row;
  if (isAbsent(own)) return Object.assign(row, { administrationId });
  return errorOf(typeof own === 'string' ? FOREIGN : 'a record whose administration is no text');
}
