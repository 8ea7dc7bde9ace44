import type { GraphQLResolveInfo } from 'graphql';
import { InvalidValue } from '../execution/field-errors.ts';
import { BY_ID } from '../rest/lookup.ts';
import type { Resource, Row } from '../rest/resource.ts';
import type { RestSession } from '../rest/session.ts';
import { isSendable, isSendableItem } from '../rest/url.ts';
import { isText } from '../rest/wire-text.ts';
import type { Context } from './context.ts';
import { joinCost } from './estimate.ts';
import { type RecordRef, recordsLoader } from './loaders.ts';
import { batched } from './metadata.ts';
import { selectionOf } from './selection.ts';

/** A row that refers to a record of its administration. */
type Referrer<IdField extends string> = { readonly [field in IdField | 'administration_id']?: unknown };

/** Resolves the record that each row refers to by its administration and an id: one lookup for all rows. */
export function join<R extends Row, IdField extends string>(resource: Resource<R>, idField: IdField) {
  const load = recordsLoader(resource);
  const resolveBatch = (rows: readonly Referrer<IdField>[], context: Context, info: GraphQLResolveInfo) => {
    const refs = rows.map((row) => refOf(row.administration_id, row[idField], context.rest));
    return load(context, BY_ID, { refs, fields: selectionOf(info) });
  };
  return batched(resolveBatch, {
    restFields: ['administration_id', idField],
    cost: joinCost(resource.type),
  });
}

/** Null if the row refers to none. An id that cannot be sent is an error of the service, not of the caller. */
function refOf(administration: unknown, id: unknown, { text }: RestSession): RecordRef | null | Error {
  if (isAbsent(administration) || isAbsent(id)) return null;
  if (!isText(administration) || !isText(id)) return new InvalidValue('an id that is no text');
  const administrationId = text.decode(administration);
  const value = text.decode(id);
  if (administrationId === '' || value === '') return null;
  if (!isSendable(administrationId) || !isSendableItem(value))
    return new InvalidValue('an id that cannot be sent');
  return { administrationId, value };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
