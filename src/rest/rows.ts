import { generate } from '../generate.ts';
import { getOrCreate, lruMap, weakMemoize, weakMemoizePair } from '../memoize.ts';
import type { RestError } from './errors.ts';
import { type Fields, fieldsParameter } from './fields.ts';
import { isAbsent, isObject } from './json.ts';
import type { ReadRow, Row } from './resource.ts';
import { type Members, objectReader, type Read, type RowOf, restNameOf } from './values.ts';

/** Makes a row of what the service sent: only what was selected is copied. */
type MakeRow<Table = Members> = (record: object) => RowOf<Table>;

/**
 * Copies what was selected of a record into a row, under the names of rows, with checked values. As one literal it takes
 * a thirtieth of the time of a loop, and rows of one shape are written faster. All names in the code are declared ones.
 * Without `fields` it copies all members, of what is sent whole. Where Node allows no generated code, a loop does it.
 */
export function compileRow<Table extends Members>(members: Table, fields?: Fields): MakeRow<Table> {
  const copied: { readonly name: string; readonly restName: string; readonly read: Read }[] = [];
  for (const name of Object.keys(fields ?? members)) {
    const member = members[name];
    if (member === undefined) continue;
    const make = member.members && compileRow(member.members, fields?.[name]);
    const read = make ? objectReader(make, member.isList) : member.read;
    copied.push({ name, restName: restNameOf(name, member), read });
  }
  const literal = copied.map(
    ({ name, restName }, index) =>
      `${JSON.stringify(name)}: read${index}(record[${JSON.stringify(restName)}])`,
  );
  const reads = Object.fromEntries(copied.map(({ read }, index) => [`read${index}`, read]));
  const loop: MakeRow<Table> = (record) => {
    const entries = copied.map(({ name, restName, read }): unknown[] => [
      name,
      read(Reflect.get(record, restName)),
    ]);
    return Object.fromEntries(entries);
  };
  return generate<MakeRow<Table>>(`return (record) => ({ ${literal.join(', ')} });`, reads) ?? loop;
}

/** Remembered by their text too, since some selections are made anew for each call. */
const makersByText = weakMemoize((_members: Members) => lruMap<MakeRow>(100));

export const rowMaker = weakMemoizePair((members: Members, fields: Fields) => {
  const text = fieldsParameter(members, fields);
  return getOrCreate<string, MakeRow>(makersByText(members), text, () => compileRow(members, fields));
});

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
