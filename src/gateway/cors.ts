import type { YogaServerOptions } from 'graphql-yoga';
import type { GatewayState } from '../request/state.ts';

const EXPOSED_HEADERS = [
  ...['Content-Disposition', 'Last-Event-ID', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  ...['Server-Timing', 'X-Explain', 'X-Request-Id'],
];

/** Matches the origins of this machine, on any port. */
const LOCAL_PAGE = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Returns the options of Yoga's CORS. Pages send tokens, not cookies, so credentials are never allowed. */
export function corsOptions({ corsOrigins = [], allowsLocalPages }: GatewayState) {
  const isLocalAllowed = allowsLocalPages && corsOrigins.length === 0;
  const isAllowed = (origin: string) =>
    isLocalAllowed ? LOCAL_PAGE.test(origin) : corsOrigins.includes(origin);
  // Any header is allowed, such as those of tracing.
  const options = {
    methods: ['GET', 'POST'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
    credentials: false,
  };
  const cors: YogaServerOptions<object, object>['cors'] = ({ headers }) => {
    const origin = headers.get('origin') ?? '';
    return isAllowed(origin) && { origin, ...options };
  };
  return (isLocalAllowed || corsOrigins.length > 0) && cors;
}
