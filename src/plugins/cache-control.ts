/**
 * Whether a request asks to bypass the cache. Browsers send `no-cache` or `no-store` for a reload, and `max-age=0` for
 * `fetch(…, { cache: 'no-cache' })`. Directive names are case-insensitive.
 */
export function bypassesCache(cacheControl: string | undefined): boolean {
  if (cacheControl === undefined) return false;
  return cacheControl.split(',').some((directive) => BYPASS_DIRECTIVE.test(directive.trim()));
}

const BYPASS_DIRECTIVE = /^(?:no-cache(?:\s*=.*)?|no-store|max-age\s*=\s*"?0+"?)$/i;
