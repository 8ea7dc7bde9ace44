import { createHmac, randomBytes } from 'node:crypto';
import type { RestResponse } from './attempt.ts';

/** Calls under way that an equal call may join instead of being sent again. */
export interface Flights {
  /** `parts` say which calls are equal; they may be secrets, so only a keyed hash of them is kept. */
  join(
    parts: readonly string[],
    send: () => Promise<RestResponse>,
  ): { readonly joined: boolean; readonly response: Promise<RestResponse> };
}

export function createFlights(): Flights {
  const secret = randomBytes(32);
  const underWay = new Map<string, Promise<RestResponse>>();
  return {
    join(parts, send) {
      const key = createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64');
      const running = underWay.get(key);
      if (running) return { joined: true, response: running };
      const response = send().finally(() => underWay.delete(key));
      underWay.set(key, response);
      return { joined: false, response };
    },
  };
}
