/**
 * Whether a request asks for more than the cache may hold. A browser says so in three ways: `no-cache` and `no-store`
 * for a reload, and `max-age=0` for `fetch(…, { cache: 'no-cache' })`. Names of directives come in any case.
 */
export function bypassesCache(cacheControl: string | undefined): boolean {
  if (cacheControl === undefined) return false;
  return cacheControl.split(',').some((directive) => FRESH.test(directive.trim()));
}

const FRESH = /^(?:no-cache(?:\s*=.*)?|no-store|max-age\s*=\s*"?0+"?)$/i;
