import type { DemoData } from './data/generate.ts';
import { ODD_ADMINISTRATION } from './data/odd-records.ts';
import { createRandom, type Random } from './data/random.ts';
import { type Happening, happenings, type Scene } from './happenings.ts';

/** What happens in a round, each time in another order: within a minute there is something of everything. */
const ROUND: readonly Happening[] = [
  'payment',
  'payment',
  'payment',
  'payment',
  'invoice',
  'invoice',
  'invoice',
  'debtorEdited',
  'debtorCreated',
  'claimAnswered',
  'claimAnswered',
  'caseDeleted',
  'paymentDeleted',
];

interface LifeOptions {
  readonly data: DemoData;
  readonly now: () => number;
  readonly seed?: number;
}

interface Life {
  /** Lets something happen in the first administration, and now and then in another one too. */
  goOn(): void;
}

/** What goes on in the administrations by itself; the same seed leads to the same changes. */
export function createLife({ data, now, seed = 20250702 }: LifeOptions): Life {
  const random = createRandom(seed);
  // The odd cases stay as they are, for tests of clients that look for them.
  const living = data.administrations.filter(({ id }) => id !== ODD_ADMINISTRATION);
  const [main, ...others] = living.map(({ id }) => {
    const scene: Scene = { data, random, now, administrationId: id };
    const ahead: Happening[] = [];
    return { scene, ahead };
  });

  function happenIn(place: typeof main): void {
    if (place === undefined) return;
    if (place.ahead.length === 0) place.ahead.push(...shuffled(ROUND, random));
    const next = place.ahead.pop();
    if (next) happenings[next](place.scene);
  }

  return {
    goOn() {
      happenIn(main);
      if (others.length > 0 && random.chance(0.25)) happenIn(random.pick(others));
    },
  };
}

/** Returns what ends it. */
export function startLife(options: LifeOptions, everyMs: number): () => void {
  const life = createLife(options);
  const timer = setInterval(() => life.goOn(), everyMs).unref();
  return () => clearInterval(timer);
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, place: random.integer(0, 1_000_000) }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
