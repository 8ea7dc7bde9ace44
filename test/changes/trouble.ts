import type { Fault } from '../../src/demo/service.ts';
import { Random } from '../execution/random.ts';
import { times } from '../support/times.ts';
import type { Kill } from './client.ts';
import type { History } from './history.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { SHAPES } from './world.ts';

/** How long a response is held back at most after it was made. */
const STALE_MS = 1_000;

export interface Trouble {
  /** When the service begins to misbehave, in milliseconds since the history began. */
  readonly faults: readonly { readonly at: number; readonly create: (clock: VirtualClock) => Fault }[];
  readonly clients: readonly {
    readonly kills: readonly Kill[];
    readonly selectsStamp: boolean;
    readonly startsSince: boolean;
  }[];
  /** Whether the gateways cache what they read. */
  readonly isCached: boolean;
}

/** What goes wrong while a history is followed: faults of the service, and connections that are cut. */
export function createTrouble(history: History): Trouble {
  const random = new Random(history.seed ^ 0x5eed);
  const end = history.writes.at(-1)?.at ?? 0;
  return {
    faults: times(random.below(12), () => ({ at: random.below(end), create: createFault(history, random) })),
    clients: times(random.chance(30) ? 2 : 1, (index) => ({
      kills: times(random.below(6), () => createKill(random)),
      // Streams with different selections share the calls.
      selectsStamp: index === 0,
      startsSince: random.chance(25),
    })),
    isCached: random.chance(50),
  };
}

function createFault({ lists }: History, random: Random): (clock: VirtualClock) => Fault {
  const match = { path: SHAPES[random.pick(lists)].path };
  const fewTimes = { match, times: 1 + random.below(4) };
  const delay = 5 + random.below(30);
  const faults: readonly ((clock: VirtualClock) => Fault)[] = [
    () => ({ ...fewTimes, kind: 'delay', milliseconds: delay }),
    () => ({ ...fewTimes, kind: 'delay', milliseconds: delay }),
    () => ({ ...fewTimes, kind: 'delay', milliseconds: delay }),
    (clock) => ({ match, kind: 'stale', until: clock.after(STALE_MS) }),
    () => ({ ...fewTimes, kind: 'status', status: 500 }),
    () => ({ ...fewTimes, kind: 'status', status: 503 }),
    () => ({ match, kind: 'status', status: 429, headers: { 'retry-after': '0' } }),
    () => ({ match, kind: 'reset' }),
    () => ({ match, kind: 'truncate' }),
  ];
  return random.pick(faults);
}

function createKill(random: Random): Kill {
  return {
    events: random.below(8),
    afterMs: 500 + random.below(15_000),
    awayMs: random.pick([0, 0, 500, 3_000, 20_000]),
    byHeader: random.chance(50),
  };
}
