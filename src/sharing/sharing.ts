import type { Reserve } from '../limits/call-limit.ts';
import type { CacheSharing } from '../rest/cache/rest-cache.ts';
import type { RefreshCoordinator } from '../rest/refresh-coordinator.ts';
import type { SharingCounters, SharingEvents, SharingState } from './events.ts';
import { createNames } from './names.ts';
import { RedisLink } from './redis-link.ts';
import { createRefreshes } from './refreshes.ts';
import { createInvalidations, createReserve, type LocalCache } from './shared-calls.ts';
import { createSharedStates } from './shared-states.ts';

export interface SharingOptions {
  readonly redisUrl: string;
  /** Of the deployment: replicas with the same secret share. */
  readonly secret: string;
  /** How long Redis may take for a command; 50 ms by default. */
  readonly deadlineMs?: number;
}

/** What replicas of the gateway share through Redis. While it is lost, each works as it would alone. */
export interface Sharing {
  readonly refreshes: RefreshCoordinator;
  readonly reserve: Reserve;
  readonly cache: CacheSharing;
  /** Keeps a local cache in step; to be called at once. */
  keepInStep(cache: LocalCache): void;
  readonly state: SharingState;
  readonly counters: SharingCounters;
  close(): void;
}

/** Does not wait for Redis. */
export function createSharing(
  { redisUrl, secret, deadlineMs }: SharingOptions,
  { restTimeoutMs, events }: { readonly restTimeoutMs: number; readonly events?: SharingEvents | undefined },
): Sharing {
  const names = createNames(secret);
  const link = new RedisLink({ url: redisUrl, checkKey: names.checkKey, events, deadlineMs });
  const states = createSharedStates(link, names.refreshes);
  const { tell, keepInStep } = createInvalidations(link, names.invalidations);
  return {
    refreshes: createRefreshes(states, names, { secret, restTimeoutMs }),
    reserve: createReserve(link, names),
    cache: { credentialKey: names.credentialKey, tell },
    keepInStep,
    get state() {
      return link.state.current;
    },
    counters: link.counters,
    close: () => link.close(),
  };
}
