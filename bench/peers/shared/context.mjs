// @ts-check
import DataLoader from 'dataloader';
import { union } from './selection.mjs';

/** @typedef {import('./selection.mjs').FieldsOf} Fields */
/** @typedef {(path: string) => Promise<any>} Get */
/** @typedef {{ administrationId: string, id: string, fields: Fields }} Wanted */
/** @typedef {ReturnType<typeof createContext>} Context */

const MAX_PER_PAGE = 500;

/**
 * What the resolvers of one operation use, whichever way its server reaches the REST service.
 * @param {Get} get
 */
export function createContext(get) {
  /** @type {DataLoader<Wanted, unknown> | undefined} */
  let debtors;
  return {
    /** @param {Wanted} wanted */
    loadDebtor(wanted) {
      debtors ??= new DataLoader((batch) => lookUpDebtors(get, batch), { cache: false });
      return debtors.load(wanted);
    },
    /**
     * @param {string} administrationId
     * @param {number} first
     * @param {Fields} fields
     */
    listDebtors(administrationId, first, { parameter }) {
      const path = `/v1/debtors?administration_id=${encodeURIComponent(administrationId)}${parameter}`;
      return walk(get, path, first);
    },
    /**
     * @param {string} administrationId
     * @param {number} first
     */
    listDeletedCreditCases(administrationId, first) {
      const path = `/v1/credit_cases/deleted?administration_id=${encodeURIComponent(administrationId)}`;
      return walk(get, path, first);
    },
  };
}

/**
 * @param {Get} get
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

/**
 * @param {Get} get
 * @param {string} path
 * @param {number} first
 */
async function walk(get, path, first) {
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
}
