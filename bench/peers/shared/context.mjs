// @ts-check
import DataLoader from 'dataloader';
import { getAs } from './rest.mjs';
import { union } from './selection.mjs';

/** @typedef {{ administrationId: string, id: string, fields: import('./selection.mjs').Fields }} Wanted */
/** @typedef {ReturnType<typeof createContext>} Context */

const MAX_PER_PAGE = 500;

/** What the resolvers of one operation use. @param {string | undefined} authorization */
export function createContext(authorization) {
  const get = getAs(authorization);
  /** @type {DataLoader<Wanted, unknown> | undefined} */
  let debtors;
  return {
    /** @param {Wanted} wanted */
    loadDebtor(wanted) {
      debtors ??= new DataLoader((batch) => lookUpDebtors(get, batch), { cache: false });
      return debtors.load(wanted);
    },
    /** The rows of a list, page by page, and the cursor of the next page. @type {(path: string, first: number) => Promise<object>} */
    async list(path, first) {
      const page = await get(`${path}&per_page=${Math.min(first, MAX_PER_PAGE)}`);
      const rows = page.data;
      let cursor = page.pagination?.cursor;
      while (cursor && rows.length < first) {
        const perPage = Math.min(first - rows.length, MAX_PER_PAGE);
        const next = await get(`${path}&per_page=${perPage}&cursor=${encodeURIComponent(cursor)}`);
        rows.push(...next.data);
        cursor = next.pagination?.cursor;
      }
      return { rows, cursor };
    },
  };
}

/** All of one administration, as in each workload. @type {(get: import('./rest.mjs').Get, wanted: readonly Wanted[]) => Promise<unknown[]>} */
async function lookUpDebtors(get, wanted) {
  const administrationId = encodeURIComponent(wanted[0]?.administrationId ?? '');
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const { parameter } = union(wanted.map(({ fields }) => fields));
  const path = `/v1/debtors?administration_id=${administrationId}&ids=${encodeURIComponent(ids.join(','))}`;
  const { data } = await get(`${path}&per_page=${ids.length}${parameter}`);
  const byId = new Map();
  for (const row of data) byId.set(row.id, row);
  return wanted.map(({ id }) => byId.get(id) ?? null);
}
