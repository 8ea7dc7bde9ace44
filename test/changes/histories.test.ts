import { afterAll, expect, test } from 'vitest';

import { times } from '../support/times.ts';
import { follow, type Outcome, openStage } from './follow.ts';
import { createHistory, PAGE_ROWS } from './history.ts';
import { VirtualClock } from './virtual-clock.ts';

/** One history alone: `HISTORY=17 npx vitest run test/changes/histories.test.ts`. */
const { HISTORY } = process.env;
const COUNT = Number(process.env.COUNT ?? 100);
const TOGETHER = Number(process.env.TOGETHER ?? 12);

// A day behind the clock of the gateways, which must not matter.
const clock = new VirtualClock(Date.now() - 86_400_000);
afterAll(() => clock.stop());

/** Follows histories, so many at a time, in the order of their seeds. */
async function followAll(seeds: readonly number[]): Promise<Outcome[]> {
  const stages = new Map(
    await Promise.all(PAGE_ROWS.map(async (rows) => [rows, await openStage(clock, rows, COUNT)] as const)),
  );
  const ahead = seeds.entries();
  const outcomes: Outcome[] = [];
  const work = async () => {
    // Each takes the next one.
    for (const [administration, seed] of ahead) {
      const history = createHistory(seed);
      const stage = stages.get(history.pageRows);
      const t = performance.now(),
        v = clock.now();
      if (stage) outcomes.push(await follow(history, administration, stage));
      const o = outcomes.at(-1);
      (await import('node:fs')).appendFileSync(
        '/tmp/progress.log',
        `${seed} ${Math.round(performance.now() - t)}ms virtual ${Math.round((clock.now() - v) / 1000)}s ${JSON.stringify(o?.faults)} ${JSON.stringify(o?.clients.map((c) => [c.events, c.streams, c.codes]))}\n`,
      );
    }
  };
  await Promise.all(times(TOGETHER, work));
  await Promise.all(Array.from(stages.values(), (stage) => stage.close()));
  return outcomes;
}

/**
 * Late commits, skewed clocks, equal stamps, several updates within a second, slow walks, faults of the service,
 * connections that are cut behind any event, and resumption at another gateway: at the end the client knows what a fresh
 * read would show, nothing was told twice in one stream, and what was told again had the same name.
 */
test(`the clients of ${COUNT} random histories know everything at their ends`, async () => {
  const first = Number(HISTORY ?? 0);
  const cpu = process.cpuUsage();
  const t0 = performance.now();
  const outcomes = await followAll(times(COUNT, (index) => (HISTORY ? first : index)));
  {
    const c = process.cpuUsage(cpu);
    console.log('CPU', (c.user + c.system) / 1000 / COUNT, 'ms per history; took', performance.now() - t0);
  }
  const faulty = outcomes.filter(({ faults }) => faults.length > 0);
  expect(faulty.map(({ seed, faults }) => ({ HISTORY: seed, faults }))).toEqual([]);

  const clients = outcomes.flatMap((outcome) => outcome.clients);
  const sum = (count: (client: (typeof clients)[number]) => number) =>
    clients.reduce((total, client) => total + count(client), 0);
  // It would be no proof if nothing had happened.
  if (HISTORY !== undefined) return;
  console.log({
    events: sum(({ events }) => events),
    streams: sum(({ streams }) => streams),
    repeated: sum(({ repeated }) => repeated),
    codes: sum(({ codes }) => codes.length),
  });
  expect(sum(({ events }) => events)).toBeGreaterThan(10 * COUNT);
  expect(sum(({ streams }) => streams)).toBeGreaterThan(2 * COUNT);
  expect(sum(({ repeated }) => repeated)).toBeGreaterThan(COUNT);
  expect(sum(({ codes }) => codes.length)).toBeGreaterThan(COUNT / 10);
});
