import { afterAll, expect, test } from 'vitest';
import { casesOf } from '../support/search.ts';
import { times } from '../support/times.ts';
import { follow, type Outcome } from './follow.ts';
import { createHistory } from './history.ts';
import { VirtualClock } from './virtual-clock.ts';

/** One history alone: `HISTORY=17 npx vitest run test/changes/histories.test.ts`. */
const { HISTORY } = process.env;
const COUNT = HISTORY === undefined ? casesOf({ short: 100, long: 1_000 }) : 1;
const TOGETHER = 20;

// A day behind the clock of the gateways, which must not matter.
const clock = new VirtualClock(Date.now() - 86_400_000);
afterAll(() => clock.stop());

/** Follows histories, so many at a time, in the order of their seeds. */
async function followAll(seeds: readonly number[]): Promise<Outcome[]> {
  const ahead = [...seeds];
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let seed = ahead.shift(); seed !== undefined; seed = ahead.shift())
      outcomes.push(await follow(createHistory(seed), clock));
  };
  await Promise.all(times(TOGETHER, work));
  return outcomes;
}

/**
 * Late commits, skewed clocks, equal stamps, several updates within a second, slow walks, faults of the service,
 * connections that are cut behind any event, and resumption at another gateway: at the end the client knows what a fresh
 * read would show, nothing was told twice in one stream, and what was told again had the same name.
 */
test(`the clients of ${COUNT} random histories know everything at their ends`, async () => {
  const first = Number(HISTORY ?? 0);
  const outcomes = await followAll(times(COUNT, (index) => first + index));
  const faulty = outcomes.filter(({ faults }) => faults.length > 0);
  expect(faulty.map(({ seed, faults }) => ({ HISTORY: seed, faults }))).toEqual([]);

  const clients = outcomes.flatMap((outcome) => outcome.clients);
  const sum = (count: (client: (typeof clients)[number]) => number) =>
    clients.reduce((total, client) => total + count(client), 0);
  // It would be no proof if nothing had happened.
  if (HISTORY !== undefined) return;
  expect(sum(({ events }) => events)).toBeGreaterThan(10 * COUNT);
  expect(sum(({ streams }) => streams)).toBeGreaterThan(2 * COUNT);
  expect(sum(({ repeated }) => repeated)).toBeGreaterThan(COUNT);
  expect(sum(({ codes }) => codes.length)).toBeGreaterThan(COUNT / 10);
});
