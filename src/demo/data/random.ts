const DAY = 86_400_000;

/** The fixed "today" of the records, so that the service returns the same data at every start. */
const TODAY = Date.UTC(2025, 5, 30, 12);

const LETTERS = [...'ABCDEGHJKLMNPRTVWXZ'];

export type Random = ReturnType<typeof createRandom>;

/** Creates a seeded generator (mulberry32): the same seed gives the same records. */
export function createRandom(seed: number) {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const chance = (probability: number) => next() < probability;

  function pick<T>(list: readonly T[]): T {
    const item = list[integer(0, list.length - 1)];
    if (item === undefined) throw new RangeError('Nothing to pick from.');
    return item;
  }

  return {
    integer,
    chance,
    pick,
    /** Prefers small numbers: half of them are below a sixteenth of the range. */
    skewed(from: number, to: number): number {
      const share = next();
      // The last digits of a power differ between versions of Node, so multiply.
      return from + Math.floor(share * share * share * share * (to - from + 1));
    },
    orNull: <T>(nullChance: number, create: () => T) => (chance(nullChance) ? null : create()),
    /** Replaces `#` with a digit and `@` with a letter of Dutch postal codes. */
    fill: (pattern: string) =>
      pattern.replace(/[#@]/g, (mark) => (mark === '#' ? String(integer(0, 9)) : pick(LETTERS))),
    /** Returns a timestamp in this range before the fixed "today", with or without milliseconds. */
    moment(daysAgo: number, atLeastDaysAgo = 0): string {
      const text = new Date(TODAY - integer(atLeastDaysAgo * DAY, daysAgo * DAY)).toISOString();
      return chance(0.7) ? `${text.slice(0, 19)}Z` : text;
    },
  };
}

export function phrases([text = '']: TemplateStringsArray): readonly string[] {
  return text.split('|').map((phrase) => phrase.trim());
}

/** Repeats each item. */
export function repeated<T>(...items: readonly (readonly [item: T, times: number])[]): T[] {
  return items.flatMap(([item, times]) => Array<T>(times).fill(item));
}

/**
 * Lets a few records omit their null fields, because the REST documentation does not say whether null is sent. Only
 * optional fields are null, so the type does not change.
 */
export function omitSomeNulls<T extends object>(random: Random, record: T): T {
  if (random.chance(0.85)) return record;
  for (const [name, value] of Object.entries(record))
    if (value === null) Reflect.deleteProperty(record, name);
  return record;
}

/** Amounts are computed in cents and sent as decimals. */
export const formatAmount = (cents: number): string => (cents / 100).toFixed(2);
export const parseCents = (amount?: string | null): number => Math.round(Number(amount ?? 0) * 100);
