import { RestError } from '../rest/errors.ts';
import { readList } from '../rest/list.ts';
import { rowsOf } from '../rest/list-pages.ts';
import type { FilterValues, Resource, Row } from '../rest/resource.ts';
import type { RestSession } from '../rest/session.ts';

/** What came of asking a list for its first row. */
export interface Sample {
  readonly row?: Row;
  /** Whether the answer held rows, also where they are of no use. */
  readonly hasRows: boolean;
  readonly error?: RestError;
}

export async function sample(
  session: RestSession,
  resource: Resource,
  filters: FilterValues,
): Promise<Sample> {
  const earlier = session.calls.length;
  try {
    const [row] = rowsOf(await readList(session, resource, { filters, fields: {}, first: 1 }));
    if (row instanceof RestError) return { hasRows: true, error: row };
    return { hasRows: row !== undefined, ...(row && { row }) };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { hasRows: (session.calls[earlier]?.rows ?? 0) > 0, error };
  }
}
