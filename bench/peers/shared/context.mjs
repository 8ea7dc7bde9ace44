// @ts-check
import DataLoader from 'dataloader';
import { getAs } from './rest.mjs';
import { union } from './selection.mjs';

/** @typedef {import('./selection.mjs').Fields} Fields */
/** @typedef {{ administrationId: string, id: string, fields: Fields }} Wanted */
/** @typedef {ReturnType<typeof createContext>} Context */

const MAX_PER_PAGE = 500;

/**
 * What the resolvers of one operation use.
 * @param {string | undefined} authorization
 */
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
    /**
     * The rows of a list, page by page, and the cursor of the next page.
     * @param {string} path
     * @param {number} first
     */
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

/**
 * @param {import('./rest.mjs').Get} get
 * @param {readonly Wanted[]} wanted All of one administration, as in each workload.
 */
async function lookUpDebtors(get, wanted) {
  const administrationId = encodeURIComponent(wanted[0]?.administrationId ?? '');
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const { parameter } = union(wanted.map(({ fields }) => fields));
  const { data } = await get(
    `/v1/debtors?administration_id=${administrationId}&ids=${encodeURIComponent(ids.join(','))}&per_page=${ids.length}${parameter}`,
  );
  const byId = new Map();
  for (const row of data) byId.set(row.id, row);
  return wanted.map(({ id }) => byId.get(id) ?? null);
}
