const DAY = 86_400_000;

/** The fixed "today" of the records, so that the service returns the same data at every start. */
const TODAY = Date.UTC(2025, 5, 30, 12);

const LETTERS = [...'ABCDEGHJKLMNPRTVWXZ'];

export type Random = ReturnType<typeof createRandom>;

/** Seeded random numbers (mulberry32): the same seed gives the same records. */
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
    /** Many small numbers and few large ones: half of them are below a sixteenth of the range. */
    skewed(from: number, to: number): number {
      const part = next();
      // Multiplied, because the last digits of a power differ between versions of Node.
      return from + Math.floor(part * part * part * part * (to - from + 1));
    },
    orNull: <T>(probabilityOfNull: number, create: () => T) => (chance(probabilityOfNull) ? null : create()),
    /** Fills a pattern: `#` becomes a digit, `@` a letter of those that Dutch postal codes have. */
    fill: (pattern: string) =>
      pattern.replace(/[#@]/g, (mark) => (mark === '#' ? String(integer(0, 9)) : pick(LETTERS))),
    /** A timestamp within this many days before the fixed "today", with or without milliseconds. */
    moment(daysAgo: number, atLeastDaysAgo = 0): string {
      const text = new Date(TODAY - integer(atLeastDaysAgo * DAY, daysAgo * DAY)).toISOString();
      return chance(0.7) ? `${text.slice(0, 19)}Z` : text;
    },
  };
}

export function phrases([text = '']: TemplateStringsArray): readonly string[] {
  return text.split('|').map((phrase) => phrase.trim());
}

/** Each item as many times as is said with it. */
export function repeated<T>(...items: readonly (readonly [item: T, times: number])[]): T[] {
  return items.flatMap(([item, times]) => Array<T>(times).fill(item));
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

/** Amounts are counted in cents, and sent as decimals. */
export const amountOf = (cents: number): string => (cents / 100).toFixed(2);
export const centsOf = (amount: string | null | undefined): number => Math.round(Number(amount ?? 0) * 100);
