import { issueTokens, startGateway } from '../support/gateway.ts';
import { startDemoService } from '../support/rest-service.mjs';
import { createData } from '../support/rest-world.ts';
import { times } from '../support/times.ts';
import { Client, type Known, readLists } from './client.ts';
import { type History, type List, LOOKBACK_MS } from './history.ts';
import { createTrouble, STALE_MS } from './trouble.ts';
import { MAX_STEP_MS, SPEED, type VirtualClock } from './virtual-clock.ts';
import { apply, type Books, clear, recordsOf } from './world.ts';

const POLL_MS = 2_400;

const OPTIONS = {
  changesPollMs: POLL_MS / SPEED,
  // The service's clock says when a response was sent: held back, it is older than it seems.
  changesLookbackMs: LOOKBACK_MS + STALE_MS + 2 * MAX_STEP_MS,
  maxCalls: 10_000,
};

/** How long a client may take to connect, or to receive everything, after faults and pauses. */
const PATIENCE_MS = 600_000;

export interface Outcome {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly clients: readonly Pick<Client, 'events' | 'streams'>[];
}

type Stage = Awaited<ReturnType<typeof openStage>>;

/** A service with pages of one length, and two gateways over it: where several histories happen side by side. */
export async function openStage(clock: VirtualClock, pageRows: number, administrations: number) {
  const data = createData({ administrations, debtors: 0, cases: 0, idLength: 1 });
  const rest = await startDemoService({ data, now: clock.now, maxPerPage: pageRows });
  // One gateway has a cache, the other does not.
  const options = { over: rest, gateway: { ...OPTIONS, cacheTtlMs: pageRows % 2 === 0 ? 60_000 : 0 } };
  const gateways = await Promise.all(times(2, () => startGateway(options)));
  return {
    rest,
    gateways,
    clock,
    async close() {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await rest.close();
    },
  };
}

interface Scene extends Stage {
  readonly history: History;
  readonly trouble: ReturnType<typeof createTrouble>;
  readonly books: Books;
  readonly headers: { readonly authorization: string };
}

export async function follow(history: History, administration: number, stage: Stage): Promise<Outcome> {
  const { rest, clock } = stage;
  const books = {
    data: rest.data,
    administrationId: String(1001 + administration),
    began: wholeSecond(clock),
  };
  for (const write of history.initial) apply(books, write);
  const [headers = { authorization: '' }] = await issueTokens(rest, 1);
  const scene: Scene = { ...stage, history, trouble: createTrouble(history), books, headers };
  const clients = scene.trouble.clients.map(
    (plan, index) => new Client({ ...optionsOf(scene), ...plan, gateways: rotated(stage.gateways, index) }),
  );
  const running = Promise.all(clients.map((client) => client.run()));
  try {
    if (scene.trouble.isAwaited) await Promise.all(clients.map((client) => connected(client, clock)));
    await happen(scene);
    const missed = await Promise.all(clients.map((client) => settle(client, scene)));
    const faults = [...missed.flat(), ...clients.flatMap((client) => client.faults)];
    return { seed: history.seed, faults, clients };
  } finally {
    for (const client of clients) client.stop();
    await running;
    clear(books);
  }
}

function optionsOf({ history: { lists }, clock, headers, books: { administrationId } }: Scene) {
  return { lists, clock, headers, administrationId };
}

async function happen({ history, trouble, books, headers, rest, clock }: Scene): Promise<void> {
  // Stamps have whole seconds.
  const began = wholeSecond(clock);
  await Promise.all([
    ...trouble.faults.map(async ({ at, fault }) => {
      await clock.until(began + at);
      rest.misbehave(fault(headers.authorization, clock));
    }),
    (async () => {
      for (const write of history.writes) {
        await clock.until(began + write.at);
        apply({ ...books, began }, write);
      }
    })(),
  ]);
  rest.behave(headers.authorization);
}

/** Waits until a client knows everything, or had to; returns what it does not know. */
async function settle(client: Client, scene: Scene): Promise<string[]> {
  const { clock } = scene;
  client.calmDown();
  const gateway = await connected(client, clock);
  if (gateway === undefined) return [`A client got no connection: ${client.lastError}`];
  // Events must not be repeated while the records are read again.
  await clock.after(OPTIONS.changesLookbackMs + POLL_MS);
  const limit = clock.now() + PATIENCE_MS;
  while (missing(client.records, scene).length > 0 && clock.now() < limit) await clock.after(POLL_MS);
  const missed = missing(client.records, scene);
  if (missed.length > 0) return missed;
  // After the events, the cache must not return earlier records.
  const read = await readLists(gateway, optionsOf(scene));
  return missing(read, scene).map((fault) => `To a query, ${fault}`);
}

async function connected(client: Client, clock: VirtualClock) {
  const since = clock.now();
  while (client.gateway === undefined && clock.now() < since + PATIENCE_MS) await clock.after(100);
  return client.gateway;
}

/** Returns the records that a client lacks. No list shows a debtor that has vanished. */
function missing(known: ReadonlyMap<string, Known>, { books, history }: Scene): string[] {
  return history.lists.flatMap((list) =>
    recordsOf(books, list).flatMap(({ id, value, stamp }) => {
      const record = known.get(`${list} ${id}`);
      const isKnown = record?.value === value && [undefined, stamp].includes(record.stamp);
      // A query may fall between two changes, of which the second restores what the stream started with.
      const isUntold = record?.eventId === undefined && isRestored(history, list, id.replace(/^\d+-/, ''));
      return isKnown || isUntold
        ? []
        : [`${list} ${id} is ${value} of ${stamp}, not ${JSON.stringify(record)}.`];
    }),
  );
}

/** Whether the last write of a record made it what another had made it before, with its stamp. */
function isRestored({ writes }: History, list: List, id: string): boolean {
  const own = writes.filter((write) => write.list === list && write.id === id);
  const last = own.pop();
  return own.some(({ value, stamp }) => value === last?.value && stamp === last?.stamp);
}

function wholeSecond(clock: VirtualClock): number {
  return Math.ceil(clock.now() / 1_000) * 1_000;
}

function rotated<T>(items: readonly T[], by: number): T[] {
  return [...items.slice(by), ...items.slice(0, by)];
}
