import type { DemoData, DemoService } from '../support/rest-service.mjs';
import { createData } from '../support/rest-world.ts';
import type { ListSpec } from './lists.ts';
import type { Row } from './model.ts';
import { isObject } from './values.ts';

/** The embedded service, whose lists are filled by each case. */
export const data: DemoData = {
  ...createData({ administrations: 2, debtors: 0, cases: 0, idLength: 1, sharing: 1 }),
  companies: [],
};

/** Lets the service send these rows in their order, at most so many at once. */
export function serveRows(
  rest: DemoService,
  { name }: ListSpec,
  rows: readonly Row[],
  perPage: number,
): void {
  const own = { administration_id: '1001', deleted_at: new Date().toISOString() };
  const sent = new Map(rows.map((row) => [row.id, row]));
  const list: unknown = Object.entries(data).find(([key]) => key === name)?.[1];
  if (Array.isArray(list)) list.splice(0, list.length, ...rows.map((row) => ({ ...row, ...own })));
  rest.behave();
  rest.misbehave({
    kind: 'rewrite',
    times: Number.POSITIVE_INFINITY,
    rewrite(body) {
      if (!isObject(body) || !Array.isArray(body.data)) return body;
      const page: readonly Readonly<Record<string, unknown>>[] = body.data.slice(0, perPage);
      return {
        ...body,
        ...(body.data.length > perPage && { pagination: { cursor: page.at(-1)?.id } }),
        // The service needs to know when a record was deleted, whatever the row says.
        data: page.map((row) =>
          'deleted_at' in row ? { ...row, deleted_at: sent.get(String(row.id))?.deleted_at } : row,
        ),
      };
    },
  });
}
