import { generate } from '../generate.ts';
import { getOrCreate, lruMap, weakMemoize, weakMemoizePair } from '../memoize.ts';
import type { RestError } from './errors.ts';
import { type FieldTree, fieldsParameter } from './fields.ts';
import { isNullish, isObject } from './json.ts';
import type { Row, RowOrError } from './resource.ts';
import { createObjectReader, getRestName, type Members, type RowOf, type ValueReader } from './values.ts';

type RowMapper<Table = Members> = (record: object) => RowOf<Table>;

/** Copies and checks selected members. A generated literal takes a thirtieth of the time of the loop, the fallback. */
export function compileRowMapper<Table extends Members>(
  members: Table,
  fields?: FieldTree,
): RowMapper<Table> {
  const copied: { readonly name: string; readonly restName: string; readonly read: ValueReader }[] = [];
  for (const name of Object.keys(fields ?? members)) {
    const member = members[name];
    if (member === undefined) continue;
    const make = member.members && compileRowMapper(member.members, fields?.[name]);
    const read = make ? createObjectReader(make, member.isList) : member.read;
    copied.push({ name, restName: getRestName(name, member), read });
  }
  const literal = copied.map(
    ({ name, restName }, index) =>
      `${JSON.stringify(name)}: read${index}(record[${JSON.stringify(restName)}])`,
  );
  const reads = Object.fromEntries(copied.map(({ read }, index) => [`read${index}`, read]));
  const loop: RowMapper<Table> = (record) =>
    Object.fromEntries(
      copied.map(({ name, restName, read }): unknown[] => [name, read(Reflect.get(record, restName))]),
    );
  return generate<RowMapper<Table>>(`return (record) => ({ ${literal.join(', ')} });`, reads) ?? loop;
}

/** Cached by text too, since some selections are created for each call. */
const mappersByText = weakMemoize((_members: Members) => lruMap<RowMapper>(100));

export const getRowMapper = weakMemoizePair((members: Members, fields: FieldTree) => {
  const text = fieldsParameter(members, fields);
  return getOrCreate<string, RowMapper>(mappersByText(members), text, () =>
    compileRowMapper(members, fields),
  );
});

/** A longer id could not be sent to the service. */
const MAX_ID_LENGTH = 1000;

/** Whether the row's id can be a cursor: neither empty nor too long. */
export function isValidRow(row: unknown): row is Row {
  if (!isObject(row)) return false;
  const { internalId } = row;
  return typeof internalId === 'string' && internalId !== '' && internalId.length <= MAX_ID_LENGTH;
}

export const WRONG_ADMINISTRATION = 'records of another administration than the requested one';

/** A service that ignores a filter returns records of every administration, which are never passed on. */
export function checkAdministration(
  row: Row,
  administrationId: string,
  getError: (what: string) => RestError,
): RowOrError {
  const { administrationId: actual } = row;
  if (actual === administrationId) return row;
  if (isNullish(actual)) return Object.assign(row, { administrationId });
  return getError(
    typeof actual === 'string' ? WRONG_ADMINISTRATION : 'a record whose administration is not a string',
  );
}
