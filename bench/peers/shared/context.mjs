// @ts-check
import DataLoader from 'dataloader';
import { parameterOf, union } from './selection.mjs';

/** @typedef {import('./selection.mjs').Fields} Fields */
/** @typedef {(path: string, parameters: Record<string, string>) => Promise<any>} Get */
/** @typedef {{ administrationId: string, id: string, fields: Fields }} Wanted */
/** @typedef {ReturnType<typeof createContext>} Context */

const MAX_PER_PAGE = 500;

/**
 * What the resolvers of one operation use, whichever way its server reaches the REST service.
 * @param {Get} get
 */
export function createContext(get) {
  return {
    /** @type {DataLoader<Wanted, unknown>} */
    debtors: new DataLoader((wanted) => lookUpDebtors(get, wanted), { cache: false }),
    listDebtors: (
      /** @type {string} */ administrationId,
      /** @type {number} */ first,
      /** @type {Fields} */ fields,
    ) =>
      walk(get, '/v1/debtors', { administration_id: administrationId, fields: parameterOf(fields) }, first),
    listDeletedCreditCases: (/** @type {string} */ administrationId, /** @type {number} */ first) =>
      walk(get, '/v1/credit_cases/deleted', { administration_id: administrationId }, first),
  };
}

/**
 * @param {Get} get
 * @param {readonly Wanted[]} wanted All of one administration, as in each workload.
 */
async function lookUpDebtors(get, wanted) {
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const { data } = await get('/v1/debtors', {
    administration_id: wanted[0]?.administrationId ?? '',
    ids: ids.join(','),
    fields: parameterOf(union(wanted.map(({ fields }) => fields))),
    per_page: String(ids.length),
  });
  const byId = new Map(data.map((/** @type {{ id: string }} */ row) => [row.id, row]));
  return wanted.map(({ id }) => byId.get(id) ?? null);
}

/**
 * @param {Get} get
 * @param {string} path
 * @param {Record<string, string>} parameters
 * @param {number} first
 */
async function walk(get, path, parameters, first) {
  const rows = [];
  let cursor;
  do {
    const perPage = Math.min(first - rows.length, MAX_PER_PAGE);
    const page = await get(path, { ...parameters, ...(cursor && { cursor }), per_page: String(perPage) });
    rows.push(...page.data);
    cursor = page.pagination?.cursor;
  } while (cursor && rows.length < first);
  return rows;
}
