import { covers, type Fields } from '../fields.ts';
import { isObject } from '../json.ts';
import { isRow } from '../page-body.ts';
import type { Page } from '../resource.ts';
import type { CachedPage, Generation } from './rest-cache.ts';

/** How many pages of one list that start at the same row are cached, each for another selection or length. */
const MAX_PAGES = 4;

/** Of a longer page nothing cached before is kept beside it: to compare and merge them would take too long in one go. */
export const MAX_COMPARED_BYTES = 1_000_000;

interface PageQuery {
  readonly fields: Fields;
  readonly perPage: number;
}

/** A cached page of the list, or the first rows of one: the latest that has all fields and rows requested. */
export function cachedPage({ pages }: Generation, key: string, query: PageQuery): Page | undefined {
  const now = performance.now();
  for (const cached of pages.get(key)?.value ?? []) {
    const page = cached.expiresAt > now ? pageFrom(cached, query) : undefined;
    if (page) return page;
  }
  return undefined;
}

/** Caches a page beside those of other selections or lengths, unless they differ: no earlier state is shown again. */
export function cachePage(
  { pages, ttlMs }: Generation,
  key: string,
  read: PageQuery & { readonly page: Page },
  sentAt: number,
): void {
  const added = { ...read, expiresAt: performance.now() + ttlMs };
  const isKept = (cached: CachedPage) =>
    read.page.bytes <= MAX_COMPARED_BYTES &&
    pageFrom(added, cached) === undefined &&
    agree(cached.page, read.page);
  const kept = [added, ...(pages.get(key)?.value.filter(isKept) ?? [])].slice(0, MAX_PAGES);
  const bytes = kept.reduce((sum, { page }) => sum + page.bytes, 0);
  pages.set(key, { value: kept, bytes, sentAt });
}

/** The page, or its first rows as requested; undefined if it has too few fields or rows. */
function pageFrom(cached: CachedPage, { fields, perPage }: PageQuery): Page | undefined {
  if (!covers(cached.fields, fields)) return undefined;
  const { page } = cached;
  const { rows, cursor, bytes } = page;
  const last = rows[perPage - 1];
  if (rows.length > perPage && isRow(last)) {
    const share = Math.ceil((bytes * perPage) / rows.length);
    return { rows: rows.slice(0, perPage), cursor: last.internalId, bytes: share };
  }
  // A page with fewer rows than requested is complete, or the most that the service returns at a time.
  return cursor === undefined || rows.length === perPage || cached.perPage === perPage ? page : undefined;
}

/** Whether two pages that start at the same row show the same, as far as both go. */
function agree(one: Page, other: Page): boolean {
  const [shorter, longer] = one.rows.length < other.rows.length ? [one, other] : [other, one];
  if (longer.rows.length > shorter.rows.length && shorter.cursor === undefined) return false;
  return shorter.rows.every((row, index) => agreeOn(row, longer.rows[index]));
}

/** Members that only one of them has were not requested of the other. */
function agreeOn(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => agreeOn(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  return Object.entries(one).every(([name, value]) => !(name in other) || agreeOn(value, other[name]));
}
