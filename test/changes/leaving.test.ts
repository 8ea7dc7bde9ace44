import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { Poller } from '../../src/changes/poller.ts';
import type { Reader } from '../../src/changes/reader.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { DEBTORS, OpenStream, startWorld, subscribe, type World } from './support.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

interface Alive {
  readonly poller: boolean;
  readonly reader: boolean;
}

/** Watches what the next stream leads to in memory, until it is ended, and says what something still holds. */
function watchMemory() {
  const { add } = Poller.prototype;
  const end = () => void Object.assign(Poller.prototype, { add });
  onTestFinished(end);
  let poller: WeakRef<Poller> | undefined;
  let reader: WeakRef<Reader> | undefined;
  function watch(this: Poller, added: Reader): void {
    poller = new WeakRef(this);
    reader = new WeakRef(added);
    add.call(this, added);
  }
  Object.assign(Poller.prototype, { add: watch });
  const alive = (): Alive => ({
    poller: poller?.deref() !== undefined,
    reader: reader?.deref() !== undefined,
  });
  return { alive, end };
}

/** A client that may leave before it has an answer, whose calls can be told from those of others. */
function open({ gateway }: World, args: string) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const query = `subscription { changes(administrationId: "${ADMINISTRATION}" ${DEBTORS} ${args}) {
    cursor ... on DebtorChanged { debtor { name languageCode } } } }`;
  const opened = fetch(`${gateway.url}?${new URLSearchParams({ query })}`, {
    signal: abort.signal,
    headers: { ...BEARER, accept: 'text/event-stream' },
  });
  opened.catch(() => {});
  const calls = () =>
    gateway.rest.calls.filter(({ fields }) => JSON.stringify(fields)?.includes('language_code'));
  return { opened, calls, leave: () => abort.abort() };
}

type Client = ReturnType<typeof open>;

const LATER = {
  kind: 'status',
  status: 429,
  headers: { 'retry-after': '200' },
  match: { path: '/v1/debtors' },
} as const;
const OPENING = 'while it is opened';
const PAST = 'since: "2025-01-01T00:00:00Z"';
const NOW = () => `since: "${new Date().toISOString()}"`;

/** Each lets a client come as far as a stage: with which arguments, what goes wrong, how one knows, and of how many. */
const STAGES: Record<
  string,
  [args: () => string, prepare: (world: World) => void, until: (client: Client) => unknown, debtors?: number]
> = {
  [OPENING]: [
    () => '',
    ({ gateway }) => gateway.rest.misbehave({ kind: 'hang', times: 9 }),
    ({ calls }) => eventually(() => expect(calls()).toHaveLength(1)),
  ],
  'while the past is read': [
    () => PAST,
    ({ gateway }) => gateway.rest.misbehave({ kind: 'hang', times: 9 }),
    ({ calls }) => eventually(() => expect(calls()).toHaveLength(1)),
  ],
  'while the service asks for a long pause': [
    () => PAST,
    ({ gateway }) => gateway.rest.misbehave(LATER),
    async ({ opened }) => new OpenStream(await opened).untilError(),
  ],
  'before it walks with others': [
    NOW,
    () => {},
    ({ calls }) => eventually(() => expect(calls()[0]?.status).toBe(200)),
  ],
  'while it follows': [() => '', () => {}, async ({ opened }) => expect((await opened).status).toBe(200)],
  'while it does not read': [
    () => PAST,
    ({ data }) => {
      for (const debtor of data.debtors) Object.assign(debtor, { name: 'long '.repeat(2_000) });
    },
    ({ calls }) => eventually(() => expect(calls()).toMatchObject([{ status: 200 }])),
    1_600,
  ],
};

/** Another stream of the same poller, which stays and asks for nothing meanwhile. It may not share a call. */
async function openOther({ gateway }: World, isAlone: boolean): Promise<OpenStream> {
  if (!isAlone) return subscribe(gateway);
  gateway.rest.misbehave({ kind: 'body', body: '{}', match: { path: '/v1/debtors' } });
  const other = await subscribe(gateway, { args: `${DEBTORS} ${PAST}` });
  await other.untilError();
  return other;
}

/** A client that came as far as a stage and left, what it may have left in memory, and the stream that stayed. */
async function leaveAt(name: string) {
  const [args, prepare, until, debtors = 5] = STAGES[name] ?? expect.fail(name);
  const world = await startWorld({ gateway: { changesPollMs: 60_000, restTimeoutMs: 60_000 } }, debtors);
  const other = await openOther(world, name === OPENING);
  prepare(world);
  const { alive, end } = watchMemory();
  const client = open(world, args());
  await until(client);
  client.leave();
  const isOver = ({ status, aborted }: { status: number; aborted: boolean }) => status > 0 || aborted;
  await eventually(() => expect(client.calls().every(isOver)).toBe(true));
  end();
  return { name, alive, other };
}

// One test for all stages: each look at the memory collects the garbage of the whole process.
test('a client that leaves at any stage leaves nothing behind', async () => {
  const left: Awaited<ReturnType<typeof leaveAt>>[] = [];
  for (const name of Object.keys(STAGES)) left.push(await leaveAt(name));
  const eventuallyAlive = (expected: Alive) =>
    eventually(
      () => {
        collectGarbage();
        const found = left.map(({ name, alive }) => [name, alive()]);
        expect(found).toEqual(left.map(({ name }) => [name, expected]));
      },
      20_000,
      200,
    );
  await eventuallyAlive({ poller: true, reader: false });
  for (const { other } of left) await other.close();
  await eventuallyAlive({ poller: false, reader: false });
});
