import { afterAll, expect, test } from 'vitest';
import { casesOf, SEED } from '../support/search.ts';
import { times } from '../support/times.ts';
import { follow, type Outcome, openStage } from './follow.ts';
import { createHistory, PAGE_ROWS } from './history.ts';
import { VirtualClock } from './virtual-clock.ts';

/** One history, again and again: `HISTORY=17 npx vitest run test/changes/histories.test.ts`. */
const { HISTORY } = process.env;
const COUNT = casesOf({ short: 16, long: 1_000 });
const TOGETHER = 12;
/** Only to end what hangs: on a busy machine a history takes half a second. */
const TIMEOUT_MS = 3_000 * COUNT;

// A day before the clock of the gateways, which must not matter.
const clock = new VirtualClock(Date.now() - 86_400_000);
afterAll(() => clock.stop());

async function followAll(seeds: readonly number[]): Promise<Outcome[]> {
  const stages = new Map(
    await Promise.all(PAGE_ROWS.map(async (rows) => [rows, await openStage(clock, rows, TOGETHER)] as const)),
  );
  const outcomes: Outcome[] = [];
  const ahead = seeds.values();
  const work = async (administration: number) => {
    for (const seed of ahead) {
      const history = createHistory(seed);
      const stage = stages.get(history.pageRows);
      if (stage) outcomes.push(await follow(history, administration, stage));
    }
  };
  await Promise.all(times(TOGETHER, work));
  await Promise.all(Array.from(stages.values(), (stage) => stage.close()));
  return outcomes;
}

/**
 * Late commits, skewed clocks, equal stamps, several updates within a second, slow walks, faults of the service,
 * connections that are cut after any event, and resumption at another gateway: at the end the client knows what a fresh
 * read would show. No stream repeats an event, and an event that is sent again has the same name.
 */
test(`the clients of ${COUNT} random histories end with the current state of every record`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const outcomes = await followAll(times(COUNT, (index) => Number(HISTORY ?? SEED + index)));
  const faulty = outcomes.filter(({ faults }) => faults.length > 0);
  expect(faulty.map(({ seed, faults }) => ({ HISTORY: seed, faults }))).toEqual([]);

  expect(outcomes).toHaveLength(COUNT);
  if (HISTORY !== undefined) return;
  // The test would prove nothing without events.
  const clients = outcomes.flatMap((outcome) => outcome.clients);
  const sum = (count: (client: (typeof clients)[number]) => number) =>
    clients.reduce((total, client) => total + count(client), 0);
  expect(sum(({ events }) => events)).toBeGreaterThan(5 * COUNT);
  expect(sum(({ streams }) => streams)).toBeGreaterThan(clients.length);
});
