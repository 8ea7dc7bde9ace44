import type { CallLimit } from '../limits/call-limit.ts';
import type { RestSession } from '../rest/session.ts';

/** How much of the limit of its credential a caller has left (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders(
  callLimit: CallLimit,
  { cache, credentials: { bearer, basic } }: RestSession,
): Record<string, string> {
  const authorization = bearer ?? basic;
  if (authorization === undefined) return {};
  const standing = callLimit.standing(cache.credential(authorization).hash);
  const { limit, remaining, windowSeconds, resetSeconds } = standing;
  return {
    'RateLimit-Policy': `"credential";q=${limit};w=${windowSeconds}`,
    RateLimit: `"credential";r=${remaining};t=${resetSeconds}`,
  };
}
