import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Plugin } from 'graphql-yoga';
import { expect, onTestFinished, test } from 'vitest';
import { Poller } from '../../src/changes/poller.ts';
import type { ChangeReader } from '../../src/changes/scan.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { DEBTORS, startWorld, subscribe } from './support.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const PAST = 'since: "2025-01-01T00:00:00Z"';
const match = { path: '/v1/debtors' };
const HANG = { kind: 'hang', times: 9, match } as const;
const LATER = { kind: 'status', status: 429, headers: { 'retry-after': '200' }, match } as const;

/** Each behaviour of the service, and the status of its call when the client disconnects. */
const STAGES = [
  ['while it is opened', '', HANG, 0],
  ['while the past is read', PAST, HANG, 0],
  ['while the service asks for a long pause', PAST, LATER, 429],
  ['while it follows', '', undefined, 200],
] as const;

// One test for all stages: each look at the memory collects the garbage of the whole process.
test('a client that disconnects while its stream opens or runs holds no resources', async () => {
  const { start } = Poller.prototype;
  onTestFinished(() => void Object.assign(Poller.prototype, { start }));
  const watched: WeakRef<object>[] = [];
  const watchContexts: Plugin = {
    onSubscribe: ({ args }) => void watched.push(new WeakRef(Object(args.contextValue))),
  };
  function watch(this: Poller, reader: ChangeReader): Promise<Poller> {
    watched.push(new WeakRef(this), new WeakRef(reader));
    return start.call(this, reader);
  }
  const { gateway } = await startWorld({
    gateway: { changesPollMs: 60_000, restTimeoutMs: 60_000, plugins: [watchContexts] },
  });
  await subscribe(gateway);
  watched.length = 0;
  Object.assign(Poller.prototype, { start: watch });
  for (const [name, args, fault, status] of STAGES) {
    gateway.rest.behave();
    gateway.rest.calls.length = 0;
    if (fault) gateway.rest.misbehave(fault);
    const abort = new AbortController();
    const query = `subscription { changes(administrationId: "${ADMINISTRATION}" ${DEBTORS} ${args}) { cursor } }`;
    const opened = fetch(`${gateway.url}?${new URLSearchParams({ query })}`, {
      signal: abort.signal,
      headers: { ...BEARER, accept: 'text/event-stream' },
    }).catch(() => {});
    const polls = () => gateway.rest.calls.filter(({ path }) => path === match.path);
    await eventually(() => expect(polls(), name).toMatchObject([{ status }]));
    if (status !== 0) await opened;
    abort.abort();
    await opened;
    if (status === 0) await eventually(() => expect(polls(), name).toMatchObject([{ aborted: true }]));
  }
  expect(watched).toHaveLength(3 * STAGES.length);
  await eventually(
    () => {
      collectGarbage();
      expect(watched.filter((each) => each.deref() !== undefined)).toEqual([]);
    },
    20_000,
    200,
  );
});
