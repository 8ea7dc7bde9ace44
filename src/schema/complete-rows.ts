import { mergeRecord } from '../rest/cache/merge-record.ts';
import { invalid, RestError } from '../rest/errors.ts';
import type { Fields } from '../rest/fields.ts';
import { BY_ID } from '../rest/lookup.ts';
import { isRow } from '../rest/page-body.ts';
import type { FilterValues, ReadRow, Resource, Row } from '../rest/resource.ts';
import { isSendableItem } from '../rest/url.ts';
import type { Context } from './context.ts';
import { recordsLoader } from './loaders.ts';
import type { Placed } from './select-rows.ts';

/** Adds to rows of a page the fields that were not read with the whole list, by one lookup. */
export function rowCompleter(resource: Resource) {
  const load = recordsLoader(resource);
  const complete = async (
    context: Context,
    { administrationId }: FilterValues,
    placed: readonly Placed[],
    { needed, missing }: { readonly needed: Fields; readonly missing: Fields },
  ): Promise<Placed<ReadRow<Row>>[]> => {
    const refs = placed.map(({ place: { id: value } }) =>
      isSendableItem(value) ? { administrationId: String(administrationId), value } : unsendable(resource),
    );
    const records = await load(context, BY_ID, { refs, fields: missing });
    return placed.flatMap(({ row, place }, index): Placed<ReadRow<Row>>[] => {
      const record = records[index];
      if (record instanceof RestError && refs[index] === record) return [{ row: record, place }];
      if (record instanceof Error) throw record;
      // Deleted since the list was read.
      if (!record) return [];
      const merged = mergeRecord({ record: row, fields: needed }, { record, fields: missing });
      return isRow(merged.record) ? [{ row: merged.record, place }] : [];
    });
  };
  const isPossible = ({ administrationId }: FilterValues) =>
    resource.filters.ids !== undefined && typeof administrationId === 'string';
  return Object.assign(complete, { isPossible });
}

function unsendable({ path }: Resource): RestError {
  return invalid({ method: 'GET', path }, 'an id that cannot be sent');
}
