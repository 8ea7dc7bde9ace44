// @ts-check
import DataLoader from 'dataloader';
import { getAs } from './rest.mjs';
import { Debtor } from './rows.mjs';
import { union } from './selection.mjs';

/** @typedef {{ administrationId: string, id: string, fields: import('./selection.mjs').Fields }} Wanted */
/** @typedef {ReturnType<typeof createContext>} Context */

const MAX_PER_PAGE = 500;

/** Creates the loaders of one operation. @param {string | undefined} authorization */
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
    /** Reads the rows of a connection page by page. @type {(path: string, first: number, Row: typeof Debtor | typeof import('./rows.mjs').DeletedCreditCase, hasCursors?: boolean) => Promise<object>} */
    async list(path, first, Row, hasCursors) {
      const page = await get(`${path}&per_page=${Math.min(first, MAX_PER_PAGE)}`);
      const rows = page.data;
      let cursor = page.pagination?.cursor;
      while (cursor && rows.length < first) {
        const perPage = Math.min(first - rows.length, MAX_PER_PAGE);
        const next = await get(`${path}&per_page=${perPage}&cursor=${encodeURIComponent(cursor)}`);
        rows.push(...next.data);
        cursor = next.pagination?.cursor;
      }
      // Made once, so that no edge needs a resolver.
      const edges = rows.map((row, index) => ({
        node: new Row(row),
        cursor: hasCursors ? cursorOf(rows, index) : '',
      }));
      const endCursor = rows.length > 0 ? cursorOf(rows, rows.length - 1) : null;
      return { edges, pageInfo: { hasNextPage: cursor !== undefined, endCursor } };
    },
  };
}

/** Makes a cursor like the gateway: with the ids of two rows before it. @type {(rows: readonly { id: string }[], index: number) => string} */
function cursorOf(rows, index) {
  let text = `;${rows[index]?.id}`;
  for (let before = index - 1; before >= 0 && before >= index - 2; before -= 1)
    text += `\n${rows[before]?.id}`;
  return Buffer.from(text).toString('base64url');
}

/** All of one administration, as in each workload. @type {(get: import('./rest.mjs').Get, wanted: readonly Wanted[]) => Promise<unknown[]>} */
async function lookUpDebtors(get, wanted) {
  const administrationId = encodeURIComponent(wanted[0]?.administrationId ?? '');
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const { parameter } = union(wanted.map(({ fields }) => fields));
  const path = `/v1/debtors?administration_id=${administrationId}&ids=${encodeURIComponent(ids.join(','))}`;
  const { data } = await get(`${path}&per_page=${ids.length}${parameter}`);
  const byId = new Map();
  for (const row of data) byId.set(row.id, new Debtor(row));
  return wanted.map(({ id }) => byId.get(id) ?? null);
}
