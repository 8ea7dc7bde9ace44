import type { GraphQLResolveInfo } from 'graphql';
import { InvalidValue } from '../execution/field-errors.ts';
import { fromLatin1, isLatin1, type Latin1 } from '../rest/latin1.ts';
import { BY_ID } from '../rest/lookup.ts';
import type { Resource, Row } from '../rest/resource.ts';
import { isSendable, isSendableItem } from '../rest/url.ts';
import type { Context } from './context.ts';
import { joinCost } from './estimate.ts';
import { type RecordRef, recordsLoader } from './loaders.ts';
import { batched } from './metadata.ts';
import { selectionOf } from './selection.ts';

/** A row that refers to a record of its administration. */
type Referrer<IdField extends string> = { readonly administration_id?: Latin1 | null } & {
  readonly [field in IdField]?: Latin1 | null;
};

/** Resolves the record that each row refers to by its administration and an id: one lookup for all rows. */
export function join<R extends Row, IdField extends string>(resource: Resource<R>, idField: IdField) {
  const load = recordsLoader(resource);
  const resolveBatch = (rows: readonly Referrer<IdField>[], context: Context, info: GraphQLResolveInfo) => {
    const refs = rows.map((row) => refOf(row.administration_id, row[idField]));
    return load(context, BY_ID, { refs, fields: selectionOf(info) });
  };
  return batched(resolveBatch, {
    restFields: ['administration_id', idField],
    cost: joinCost(resource.type),
  });
}

/** Null if the row refers to none. An id that cannot be sent is an error of the service, not of the caller. */
function refOf(administration: unknown, id: unknown): RecordRef | null | Error {
  if (isAbsent(administration) || isAbsent(id)) return null;
  if (!isLatin1(administration) || !isLatin1(id)) return new InvalidValue('an id that is no text');
  const administrationId = fromLatin1(administration);
  const value = fromLatin1(id);
  if (administrationId === '' || value === '') return null;
  if (!isSendable(administrationId) || !isSendableItem(value))
    return new InvalidValue('an id that cannot be sent');
  return { administrationId, value };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
