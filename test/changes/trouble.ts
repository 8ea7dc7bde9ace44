import { Random } from '../execution/random.ts';
import type { Fault } from '../support/rest-service.mjs';
import { times } from '../support/times.ts';
import type { Kill } from './client.ts';
import type { History } from './history.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { SHAPES } from './world.ts';

/** How long a response is held back at most after it was made. */
export const STALE_MS = 1_000;

/** Made when its time has come, for the calls of one caller. */
type CreateFault = (authorization: string, clock: VirtualClock) => Fault;

export function createTrouble(history: History) {
  const random = new Random(history.seed ^ 0x5eed);
  const end = history.writes.at(-1)?.at ?? 0;
  return {
    faults: times(random.below(12), () => ({ at: random.below(end), fault: createFault(history, random) })),
    clients: times(random.chance(30) ? 2 : 1, (index) => ({
      kills: times(random.below(6), () => createKill(random)),
      // Streams with different selections share the calls.
      selectsStamp: index === 0,
      startsSince: random.chance(25),
    })),
    isAwaited: random.chance(75),
  };
}

function createFault({ lists }: History, random: Random): CreateFault {
  const { path } = SHAPES[random.pick(lists)];
  const often = 1 + random.below(4);
  const milliseconds = 5 + random.below(30);
  const kind = random.pick(['slow', 'slow', 'slow', 'stale', 500, 503, 429, 'reset', 'truncate'] as const);
  return (authorization, clock) => {
    const match = { path, authorization };
    if (kind === 'slow') return { match, kind: 'delay', milliseconds, times: often };
    if (kind === 'stale') return { match, kind, until: clock.after(STALE_MS) };
    if (kind === 'reset' || kind === 'truncate') return { match, kind };
    if (kind === 429) return { match, kind: 'status', status: kind, headers: { 'retry-after': '0' } };
    return { match, kind: 'status', status: kind, times: often };
  };
}

function createKill(random: Random): Kill {
  return {
    events: random.below(8),
    afterMs: 200 + random.below(8_000),
    awayMs: random.pick([0, 0, 0, 500, 2_000, 10_000]),
    byHeader: random.chance(50),
  };
}
