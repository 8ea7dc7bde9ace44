import { project, type Selection } from './fields.ts';
import { badRequest } from './http-error.ts';
import { readInteger } from './parameters.ts';

type Identified = Readonly<Record<string, unknown>> & { readonly id: string };

export const pageParameters = ['cursor', 'per_page'] as const;

interface Listing<R> {
  /** Ordered by id. Any of these can be the cursor, including those that the filters exclude. */
  records: readonly R[];
  filters: readonly ((record: R) => boolean)[];
  selection: Selection;
  parameters: ReadonlyMap<string, string>;
  maxPerPage: number;
}

/** One page of a list; `pagination` is present only if another page follows. */
export function createPage<R extends Identified>(listing: Listing<R>) {
  const { records, filters, selection, parameters, maxPerPage } = listing;
  const asked = readInteger(parameters.get('per_page') ?? '100', 'per_page', 1, 500);
  const perPage = Math.min(asked, maxPerPage);
  const matching = recordsAfter(parameters.get('cursor'), records).filter((record) =>
    filters.every((accepts) => accepts(record)),
  );
  const page = matching.slice(0, perPage);
  const last = page.at(-1);
  return {
    data: page.map((record) => project(record, selection)),
    ...(last && matching.length > perPage && { pagination: { cursor: last.id } }),
  };
}

function recordsAfter<R extends Identified>(cursor: string | undefined, records: readonly R[]): readonly R[] {
  if (cursor === undefined) return records;
  const position = records.findIndex(({ id }) => id === cursor);
  if (position < 0) throw badRequest(`There is no record ${cursor} to start after.`);
  return records.slice(position + 1);
}
