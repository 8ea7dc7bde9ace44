import type { SharingEvents, SharingState } from './events.ts';
import { createNames } from './names.ts';
import { RedisLink } from './redis-link.ts';
import { createRefreshes } from './refreshes.ts';
import { createInvalidations, createReserve } from './shared-calls.ts';
import { createSharedStates } from './shared-states.ts';

export interface SharingOptions {
  readonly redisUrl: string;
  /** Of the deployment: replicas with the same secret share. */
  readonly secret: string;
  /** How long Redis may take for a command; 50 ms by default. */
  readonly deadlineMs?: number;
}

export type Sharing = ReturnType<typeof createSharing>;

/** What replicas share through Redis. While it is lost, and at the start, each works as it would alone. */
export function createSharing(
  { redisUrl, secret, deadlineMs }: SharingOptions,
  { restTimeoutMs, events }: { readonly restTimeoutMs: number; readonly events?: SharingEvents | undefined },
) {
  const names = createNames(secret);
  const link = new RedisLink({ url: redisUrl, checkKey: names.checkKey, events, deadlineMs });
  const states = createSharedStates(link, names.refreshes);
  const { tell, keepInStep } = createInvalidations(link, names.invalidations);
  return {
    refreshes: createRefreshes(states, names, { secret, restTimeoutMs }),
    reserve: createReserve(link, names),
    cache: { credentialKey: names.credentialKey, tell },
    /** Keeps a local cache in step; to be called at once. */
    keepInStep,
    get state(): SharingState {
      return link.state.current;
    },
    counters: link.counters,
    close: () => link.close(),
  };
}
