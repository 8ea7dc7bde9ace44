import { setTimeout as sleep } from 'node:timers/promises';
import { createNames } from '../sharing/names.ts';
import type { SharedStates } from '../sharing/refresh-protocol.ts';
import { createRefreshes } from '../sharing/refreshes.ts';
import type { Sharing } from '../sharing/sharing.ts';
import type { PrimaryChannel } from './worker.ts';

/** How often a worker that waits for another's refresh looks again. */
const POLL_MS = 50;

/** What the workers of one machine share through their primary, as replicas do through Redis. */
export function createWorkerSharing(
  channel: PrimaryChannel,
  { secret, restTimeoutMs }: { readonly secret: string; readonly restTimeoutMs: number },
): Pick<Sharing, 'refreshes' | 'reserve' | 'cache' | 'keepInStep' | 'close'> {
  const names = createNames(secret);
  const move: SharedStates['move'] = async (key, from, to, lifeMs) =>
    String(await channel.request({ kind: 'move', key, from, to, lifeMs }));
  const states: SharedStates = {
    move,
    changed: (_key, milliseconds) => sleep(Math.min(POLL_MS, milliseconds)),
    // Without its primary a worker ends, so there is nothing to wait for.
    recovered: async () => false,
    moveEventually: (...args) => void move(...args).catch(() => {}),
    now: () => performance.now(),
  };
  return {
    refreshes: createRefreshes({ states, names, secret, restTimeoutMs }),
    async reserve(credential, wanted) {
      const reply = await channel.request({ kind: 'reserve', key: names.calls(credential), ...wanted });
      return typeof reply === 'object' ? reply : undefined;
    },
    cache: {
      credentialKey: names.credentialKey,
      tell: async (credential) => void (await channel.request({ kind: 'drop', credential })),
    },
    keepInStep: (cache) => channel.onDrop((credential) => cache.drop(credential)),
    close() {},
  };
}
