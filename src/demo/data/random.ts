const DAY = 86_400_000;

/** The fixed "today" of the records, so that the service returns the same data at every start. */
const TODAY = Date.UTC(2025, 5, 30, 12);

export interface Random {
  integer(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A value, or null with the given probability. */
  orNull<T>(probabilityOfNull: number, create: () => T): T | null;
  /** Fills a pattern: `#` becomes a digit, `@` a capital letter. */
  fill(pattern: string): string;
  amount(): string;
  /** A timestamp within this many days before the fixed "today", with or without milliseconds. */
  moment(daysAgo: number, atLeastDaysAgo?: number): string;
}

/** Seeded random numbers: the same seed gives the same records. */
export function createRandom(seed: number): Random {
  const next = mulberry32(seed);

  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const chance = (probability: number) => next() < probability;

  function pick<T>(list: readonly T[]): T {
    const item = list[integer(0, list.length - 1)];
    if (item === undefined) throw new RangeError('Nothing to pick from.');
    return item;
  }

  function fill(pattern: string): string {
    let text = '';
    for (const mark of pattern) {
      if (mark === '#') text += integer(0, 9);
      else if (mark === '@') text += String.fromCharCode(integer(65, 90));
      else text += mark;
    }
    return text;
  }

  function amount(): string {
    // More digits than a double can represent, to expose clients that parse amounts as numbers.
    if (chance(0.01)) return fill('9##############7.#1');
    const sign = chance(0.08) ? '-' : '';
    return `${sign}${integer(0, chance(0.1) ? 2_500_000 : 9_000)}.${fill('##')}`;
  }

  function moment(daysAgo: number, atLeastDaysAgo = 0): string {
    const text = new Date(TODAY - integer(atLeastDaysAgo * DAY, daysAgo * DAY)).toISOString();
    return chance(0.7) ? `${text.slice(0, 19)}Z` : text;
  }

  return {
    integer,
    chance,
    pick,
    orNull: (probabilityOfNull, create) => (chance(probabilityOfNull) ? null : create()),
    fill,
    amount,
    moment,
  };
}

/** The same records, but for amounts that no person would believe: those keep their last digits. */
export function withPlausibleAmounts(random: Random): Random {
  return { ...random, amount: () => random.amount().replace(/^\d{12,}?(?=[1-9]\d*\.)/, '') };
}

/**
 * A few records omit their null fields, because the description does not say whether null is sent. Only optional fields
 * are ever null, so the type of the record is unchanged.
 */
export function leaveOutSomeNulls<T extends object>(random: Random, record: T): T {
  if (random.chance(0.85)) return record;
  for (const [name, value] of Object.entries(record)) {
    if (value === null) Reflect.deleteProperty(record, name);
  }
  return record;
}

/** A small, well-known generator with 32 bits of state, sufficient for realistic data. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
