// @ts-check
import { debtors, deletedCreditCases } from './records.mjs';

/** @typedef {{ [name: string]: unknown, id: string, updated_at?: string, deleted_at?: string }} Row */
/** @typedef {(row: any) => unknown} Projection */

const COLLECTIONS = new Map([
  ['/v1/debtors', collection(debtors)],
  ['/v1/credit_cases/deleted', collection(deletedCreditCases)],
]);

/** Returns the page that a URL requests; undefined for an unknown list. @param {string} url */
export function pageOf(url) {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const found = COLLECTIONS.get(pathname);
  if (!found) return undefined;

  const ids = searchParams.get('ids');
  const all = ids ? ids.split(',').flatMap((id) => found.byId.get(id) ?? []) : found.rows;
  const administrationId = searchParams.get('administration_id');
  const since = Date.parse(searchParams.get('updated_after') ?? searchParams.get('deleted_after') ?? '1970');
  const rows = all.filter(
    (row) =>
      row.administration_id === administrationId &&
      Date.parse(row.updated_at ?? row.deleted_at ?? '') > since,
  );
  const cursor = searchParams.get('cursor');
  const start = cursor ? rows.findIndex(({ id }) => id === cursor) + 1 : 0;
  const end = start + Number(searchParams.get('per_page') ?? 100);
  const fields = searchParams.get('fields');
  const taken = rows.slice(start, end);
  return {
    data: fields ? taken.map(selecting(JSON.parse(fields).only)) : taken,
    ...(end < rows.length && { pagination: { cursor: rows[end - 1]?.id } }),
  };
}

/** @param {readonly Row[]} rows */
function collection(rows) {
  return { rows, byId: new Map(rows.map((row) => [row.id, row])) };
}

/** @type {(only: readonly (string | Record<string, string[]>)[]) => Projection} */
function selecting(only) {
  const members = only.flatMap((item) => Object.entries(typeof item === 'string' ? { [item]: null } : item));
  return (row) =>
    Object.fromEntries(
      members.map(([name, nested]) => [name, nested ? within(row[name], selecting(nested)) : row[name]]),
    );
}

/** @type {(value: unknown, project: Projection) => unknown} */
function within(value, project) {
  return Array.isArray(value) ? value.map(project) : project(value);
}
