import { type DemoService, startDemoService } from '../../src/demo/service.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { times } from '../support/times.ts';
import { Client, type Known, readLists } from './client.ts';
import { type History, LOOKBACK_MS, Timeline } from './history.ts';
import { createTrouble, type Trouble } from './trouble.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { apply, emptyData, SHAPES, stampText } from './world.ts';

const OPTIONS = {
  // In real milliseconds: about two seconds of the virtual clock.
  changesPollMs: 20,
  // More than the least, since by the virtual clock responses take seconds.
  changesLookbackMs: 2 * LOOKBACK_MS,
  maxCalls: 10_000,
};

/** How many walks of each list may begin, after all was written, until every change has to be known. */
const PATIENCE_WALKS = 15;

export interface Outcome {
  readonly seed: number;
  /** Sentences that say how a promise was broken. */
  readonly faults: readonly string[];
  readonly clients: readonly Pick<Client, 'events' | 'repeated' | 'streams' | 'codes'>[];
}

/** Lets a history happen in a service, and follows it by clients of two gateways. */
export async function follow(history: History, clock: VirtualClock): Promise<Outcome> {
  const trouble = createTrouble(history);
  const data = emptyData();
  const rest = await startDemoService({ data, now: clock.now, maxPerPage: history.pageRows });
  const options = { over: rest, gateway: { ...OPTIONS, cacheTtlMs: trouble.isCached ? 60_000 : 0 } };
  const gateways = await Promise.all(times(2, () => startGateway(options)));
  // Stamps have whole seconds.
  const began = Math.ceil(clock.now() / 1_000) * 1_000;
  for (const write of history.initial) apply(data, write, began);
  const clients = trouble.clients.map(
    (plan, index) => new Client({ ...plan, gateways: rotated(gateways, index), clock, lists: history.lists }),
  );
  const running = Promise.all(clients.map((client) => client.run()));
  try {
    await happen(history, trouble, { rest, clock, began });
    for (const client of clients) client.calmDown();
    const faults = clients.flatMap((client) => client.faults);
    for (const client of clients) faults.push(...(await settle(client, history, { rest, clock, began })));
    for (const gateway of gateways) faults.push(...(await lookAt(gateway, history, began)));
    return { seed: history.seed, faults, clients };
  } finally {
    for (const client of clients) client.stop();
    await running;
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await rest.close();
  }
}

interface Place {
  readonly rest: DemoService;
  readonly clock: VirtualClock;
  readonly began: number;
}

/** Writes become visible, and faults happen, at their times. */
async function happen(
  { writes }: History,
  { faults }: Trouble,
  { rest, clock, began }: Place,
): Promise<void> {
  await Promise.all([
    ...faults.map(async ({ at, create }) => {
      await clock.until(began + at);
      rest.misbehave(create(clock));
    }),
    (async () => {
      for (const write of writes) {
        await clock.until(began + write.at);
        apply(rest.data, write, began);
      }
    })(),
  ]);
  rest.behave();
}

/** Waits until the client has to know everything; returns what it does not know. */
async function settle(client: Client, history: History, { rest, clock, began }: Place): Promise<string[]> {
  while (!client.isSettled) await clock.after(500);
  const from = rest.calls.length;
  // What was told must not be told again while it is still read again.
  await clock.after(OPTIONS.changesLookbackMs + 5_000);
  const walksOf = (path: string) =>
    rest.calls.slice(from).filter((call) => call.path === path && call.query.cursor === undefined).length;
  for (;;) {
    const walks = Math.min(...history.lists.map((list) => walksOf(SHAPES[list].path)));
    const missed = missing(client.records, history, began);
    if ((missed.length === 0 && walks >= 3) || walks >= PATIENCE_WALKS) return missed;
    await clock.after(500);
  }
}

/** A query behind the last event shows nothing older than that. */
async function lookAt(gateway: TestGateway, history: History, began: number): Promise<string[]> {
  const read = await readLists(gateway, { lists: history.lists, selectsStamp: true });
  return missing(read, history, began).map((fault) => `A query: ${fault}`);
}

function missing(records: ReadonlyMap<string, Known>, history: History, began: number): string[] {
  const timeline = new Timeline(history);
  timeline.advanceTo(Number.POSITIVE_INFINITY);
  return [...timeline.records].flatMap(([key, { value, stamp }]) => {
    // No list tells of a debtor that vanishes.
    if (value === undefined) return [];
    const known = records.get(key);
    if (known === undefined) return [`${key} is not known.`];
    const isStamped = known.stamp === undefined || known.stamp === stampText(stamp, began);
    const isLatest = known.value === value && isStamped;
    return isLatest
      ? []
      : [`${key} is ${value} of ${stampText(stamp, began)}, but known as ${JSON.stringify(known)}.`];
  });
}

function rotated<T>(items: readonly T[], by: number): T[] {
  return [...items.slice(by), ...items.slice(0, by)];
}
