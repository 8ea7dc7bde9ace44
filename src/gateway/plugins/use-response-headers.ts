import type { CallLimit } from '../../limits/call-limit.ts';
import type { GatewayPlugin } from '../../request/context.ts';
import { serverTiming } from '../../telemetry/observation.ts';

/** Tells how much of the limit of its credential a caller has left (draft-ietf-httpapi-ratelimit-headers). */
export function useRateLimitHeaders(callLimit: CallLimit | undefined): GatewayPlugin {
  if (callLimit === undefined) return {};
  return {
    onResponse({ response, serverContext: { rest } }) {
      const { bearer, basic } = rest?.credentials ?? {};
      const authorization = bearer ?? basic;
      if (authorization === undefined) return;
      const standing = callLimit.standing(rest.cache.credential(authorization).hash);
      const { limit, remaining, windowSeconds, resetSeconds } = standing;
      response.headers.set('RateLimit-Policy', `"credential";q=${limit};w=${windowSeconds}`);
      response.headers.set('RateLimit', `"credential";r=${remaining};t=${resetSeconds}`);
    },
  };
}

/** Sends `Server-Timing`, which browsers show beside a request, for operations and refusals. */
export function useServerTiming(): GatewayPlugin {
  return {
    onResponse({ response, serverContext: { observed, array } }) {
      if (observed?.isOperation || array) response.headers.set('Server-Timing', serverTiming(observed));
    },
  };
}
