import type { GatewayPlugin } from './context.ts';
import { serverTiming } from './server-timing.ts';

/** Sends `Server-Timing`, which browsers show beside a request, for operations and refusals. It stands behind all that takes time. */
export function useServerTiming(): GatewayPlugin {
  return {
    onResponse({ response, serverContext: { observed } }) {
      if (observed?.isOperation) response.headers.set('Server-Timing', serverTiming(observed));
    },
  };
}
