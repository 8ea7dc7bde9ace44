// @ts-check
import { debtors, deletedCreditCases, ON_DEMAND } from './records.mjs';

/** @typedef {{ readonly [name: string]: unknown, readonly id: string }} Row */
/** @typedef {(row: Row) => unknown} Projection */

const COLLECTIONS = new Map([
  ['/v1/debtors', collection(debtors)],
  ['/v1/credit_cases/deleted', collection(deletedCreditCases)],
]);

/**
 * The page that a URL asks for; undefined where there is no such list.
 * @param {string} url
 */
export function pageOf(url) {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const found = COLLECTIONS.get(pathname);
  if (!found) return undefined;

  const ids = searchParams.get('ids');
  const rows = ids ? ids.split(',').flatMap((id) => found.byId.get(id) ?? []) : found.rows;
  const cursor = searchParams.get('cursor');
  const start = cursor ? rows.findIndex(({ id }) => id === cursor) + 1 : 0;
  const end = start + Number(searchParams.get('per_page') ?? 100);
  const project = projectionOf(searchParams.get('fields'));
  return {
    data: rows
      .filter((row) => row.administration_id === searchParams.get('administration_id'))
      .slice(start, end)
      .map(project),
    ...(end < rows.length && { pagination: { cursor: rows[end - 1]?.id } }),
  };
}

/** @param {readonly Row[]} rows */
function collection(rows) {
  return { rows, byId: new Map(rows.map((row) => [row.id, row])) };
}

/**
 * @param {string | null} fields
 * @returns {Projection}
 */
function projectionOf(fields) {
  if (fields === null) {
    return (row) => Object.fromEntries(Object.entries(row).filter(([name]) => !ON_DEMAND.has(name)));
  }
  return selecting(JSON.parse(fields).only);
}

/**
 * @param {readonly (string | Record<string, string[]>)[]} only
 * @returns {Projection}
 */
function selecting(only) {
  const members = only.flatMap((item) => Object.entries(typeof item === 'string' ? { [item]: null } : item));
  return (row) =>
    Object.fromEntries(
      members.map(([name, nested]) => [
        name,
        nested ? selectNested(row[name], selecting(nested)) : row[name],
      ]),
    );
}

/**
 * @param {any} value
 * @param {Projection} project
 */
function selectNested(value, project) {
  return Array.isArray(value) ? value.map(project) : project(value);
}
