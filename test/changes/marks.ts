import { Random } from '../execution/random.ts';
import { type History, keyOf, LOOKBACK_MS, Timeline, type Write } from './history.ts';

/** What is known of a walk when the mark of the next one is chosen. */
export interface Walk {
  /** When it started, by the clock of the service and by that of the gateway. */
  readonly start: number;
  readonly ownStart: number;
  /** The latest stamp that any walk has shown. */
  readonly latest: number;
}

export interface Rule {
  nextMark(walk: Walk): number;
  /** What a row that was told is recognised by; without it, every row is told. */
  identity?(row: Write): string;
}

const byContent = (row: Write) => `${row.stamp} ${row.value}`;

/** The obvious ways to choose where the next walk starts, and the last, which is ours. */
export const RULES: Readonly<Record<string, Rule>> = {
  'the largest updated_at seen': { nextMark: ({ latest }) => latest },
  'the largest updated_at − 5 s': { nextMark: ({ latest }) => latest - 5_000 },
  'the start of the last walk': { nextMark: ({ start }) => start },
  'its start − lookback, told apart by (id, updated_at)': {
    nextMark: ({ start }) => start - LOOKBACK_MS,
    identity: ({ stamp }) => String(stamp),
  },
  'its start by our own clock − lookback': {
    nextMark: ({ ownStart }) => ownStart - LOOKBACK_MS,
    identity: byContent,
  },
  'its start − lookback, told apart by (id, content)': {
    nextMark: ({ start }) => start - LOOKBACK_MS,
    identity: byContent,
  },
};

/** Polls a history in memory, by a rule: slow walks in small pages, some of which fail. Returns what a client missed. */
export function missedBy(history: History, { nextMark, identity }: Rule): string[] {
  const random = new Random(history.seed);
  const ownSkew = random.below(60_000) - 20_000;
  const timeline = new Timeline(history);
  const known = new Map(timeline.records);
  const told = new Map<string, string>();
  for (const [key, row] of known) if (identity) told.set(key, identity(row));
  let latest = Math.max(...[...known.values()].map(({ stamp }) => stamp));
  let mark = nextMark({ start: 0, ownStart: ownSkew, latest });

  let isKnown = false;
  for (let time = 0; !isKnown; time += 500 + random.below(2_500)) {
    const start = time;
    timeline.advanceTo(time);
    const isLast = timeline.isOver;
    let after = '';
    let isComplete = false;
    while (!isComplete && !random.chance(5)) {
      timeline.advanceTo(time);
      const page = readPage(timeline, mark, after, history.pageRows);
      for (const row of page) {
        const key = keyOf(row);
        latest = Math.max(latest, row.stamp);
        if (identity && told.get(key) === identity(row)) continue;
        if (identity) told.set(key, identity(row));
        known.set(key, row);
      }
      after = keyOfLast(page);
      isComplete = page.length < history.pageRows;
      time += 50 + random.below(1_950);
    }
    if (!isComplete) continue;
    mark = nextMark({ start, ownStart: start + ownSkew, latest });
    isKnown = isLast;
  }
  return missing(known, timeline.records);
}

function readPage({ records }: Timeline, mark: number, after: string, rows: number): Write[] {
  return [...records.values()]
    .filter((row) => row.value !== undefined && row.stamp > mark && keyOf(row) > after)
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .slice(0, rows);
}

function keyOfLast(page: readonly Write[]): string {
  const last = page.at(-1);
  return last ? keyOf(last) : '';
}

/** The records of which the client does not know the latest state. No list tells those that vanish. */
function missing(known: ReadonlyMap<string, Write>, truth: ReadonlyMap<string, Write>): string[] {
  return [...truth].flatMap(([key, row]) => {
    const isMissed = row.value !== undefined && known.get(key)?.value !== row.value;
    return isMissed ? [key] : [];
  });
}
