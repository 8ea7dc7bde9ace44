import type { DemoData } from './data/generate.ts';
import { ODD_ADMINISTRATION } from './data/odd-records.ts';
import { createRandom, type Random, repeated } from './data/random.ts';
import { type Happening, happenings, type Scene } from './happenings.ts';

/** What happens in a round, each time in another order: within a minute there is something of everything. */
const ROUND = repeated<Happening>(
  ['payment', 4],
  ['invoice', 3],
  ['debtorEdited', 1],
  ['debtorCreated', 1],
  ['claimAnswered', 2],
  ['caseDeleted', 1],
  ['paymentDeleted', 1],
);

interface LifeOptions {
  readonly data: DemoData;
  readonly now: () => number;
  readonly seed?: number;
}

/**
 * What goes on in the administrations by itself: each call lets something happen in the first one, and now and then in
 * another one too. The same seed leads to the same changes.
 */
export function createLife({ data, now, seed = 20250702 }: LifeOptions): () => void {
  const random = createRandom(seed);
  // The odd cases stay as they are, for tests of clients that look for them.
  const living = data.administrations.filter(({ id }) => id !== ODD_ADMINISTRATION);
  const [goOn, ...others] = living.map(({ id }) => {
    const scene: Scene = { data, random, now, administrationId: id };
    const ahead: Happening[] = [];
    return () => {
      if (ahead.length === 0) ahead.push(...shuffled(ROUND, random));
      const next = ahead.pop();
      if (next) happenings[next](scene);
    };
  });
  return () => {
    goOn?.();
    if (others.length > 0 && random.chance(0.25)) random.pick(others)();
  };
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, place: random.integer(0, 1_000_000) }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
