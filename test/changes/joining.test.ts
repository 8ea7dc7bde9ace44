import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { eventsIn, GrowingEvents, StreamReader } from '../streams/support.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { startRest } from '../support/resources.ts';
import { createData } from '../support/rest-world.ts';
import { times } from '../support/times.ts';

/** More than a stream lets wait for its reader before it asks for another page. */
const DEBTORS = 800;
const PER_PAGE = 300;

/** Streams that are read no further than a test wants: nothing between it and the gateway takes anything. */
async function startStreams(host: Parameters<typeof createGateway>[1] = {}) {
  const size = { administrations: 1, debtors: DEBTORS, cases: 0, idLength: 6 };
  const data = createData(size);
  const rest = await startRest({ data, maxPerPage: PER_PAGE });
  const config = readConfig({ CACHE_TTL_MS: '0' }, []);
  const start = () => {
    const restUrl = new URL(rest.url);
    const options = { ...config, restUrl, changesPollMs: 20, changesLookbackMs: 300, log: () => {} };
    const gateway = createGateway(options, host);
    onTestFinished(() => gateway.dispose());
    return gateway;
  };
  const first = start();
  const open = async (args = '', gateway = first) => {
    const query = `subscription { changes(administrationId: "${ADMINISTRATION}", kinds: [DEBTOR_CHANGED] ${args}) {
      eventId cursor ... on DebtorChanged { debtor { name } } } }`;
    const response = await gateway.fetch(`http://gateway/graphql?${new URLSearchParams({ query })}`, {
      headers: { ...BEARER, accept: 'text/event-stream' },
    });
    const reader = new StreamReader(response);
    onTestFinished(() => reader.cancel());
    return reader;
  };
  const change = (name: string, ...indexes: readonly number[]) => {
    const updated_at = new Date().toISOString();
    for (const index of indexes) Object.assign(data.debtors[index] ?? {}, { name, updated_at });
    return updated_at;
  };
  return { rest, open, change, start, gateway: first };
}

function counterOf(reader: StreamReader): () => number {
  const events = new GrowingEvents();
  return () => events.in(reader.text).filter(({ event }) => event === 'next').length;
}

const eventIdsOf = ({ text }: StreamReader) => text.match(/(?<="eventId":")[^"]+/g) ?? [];

test('a stream that has caught up joins the poller of other streams and loses no change', async () => {
  const { rest, open, change } = await startStreams();
  const live = await open();
  const past = await open('since: "2025-01-01T00:00:00Z"');
  const pagesOfPast = () => rest.calls.filter(({ query }) => query.updated_after?.startsWith('2024-12-31'));
  // Wait until it stops because nobody reads.
  await eventually(() => expect(pagesOfPast()).toHaveLength(2));
  const changedAt = change('changed', 0);
  await live.until('changed');
  const lastMark = () => rest.calls.at(-1)?.query.updated_after ?? '';
  await eventually(() => expect(lastMark() > changedAt).toBe(true));
  await past.until('changed');
  expect(past.text).toContain('"name":"changed"');
  const ids = eventIdsOf(past);
  expect(ids).toHaveLength(DEBTORS + 1);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a stream that resumes but is not read does not delay other streams', async () => {
  const { open, change } = await startStreams();
  const live = await open();
  const before = await open();
  change('first', 0);
  await Promise.all([live.until('first'), before.until('first')]);
  const [event] = eventsIn(before.text)
    .filter(({ id }) => id !== undefined)
    .slice(-1);
  await before.cancel();
  change('many', ...Array.from({ length: DEBTORS - 1 }, (_, index) => index + 1));
  const unread = await open(`after: "${event?.id}"`);
  const countEvents = counterOf(live);
  await live.until(() => countEvents() === DEBTORS);
  change('last', 0);
  await live.until('last');
  const toldLate = counterOf(unread);
  await unread.until(() => toldLate() >= DEBTORS);
  expect(unread.text).not.toContain('errors');
  expect(new Set(eventIdsOf(unread)).size).toBeGreaterThanOrEqual(DEBTORS);
});

test('a stream that closes while a page waits for it does not block later streams', async () => {
  const { rest, open, change } = await startStreams();
  const unread = await open();
  rest.calls.length = 0;
  const pages = () => rest.calls.filter(({ query, status }) => query.cursor !== undefined && status === 200);
  change('many', ...times(DEBTORS, (index) => index));
  await eventually(() => expect(pages().length).toBeGreaterThan(0));
  // Wait until it stops because nobody reads.
  await sleep(40);
  await unread.cancel();
  const later = await open();
  change('last', 0);
  await later.until('last');
});

test('streams end with OVERLOADED and a cursor if a caller has too many unread events', async () => {
  const { rest, open } = await startStreams({ memory: { operationBytes: 1_600_000, cacheBytes: 1 } });
  // The service accepts the credential, which from now on counts for itself.
  await open();
  const streams = await Promise.all(times(10, () => open('since: "2025-01-01T00:00:00Z"')));
  await eventually(() => expect(rest.calls.length).toBeGreaterThan(10));
  const ended: string[] = [];
  const read = async (stream: StreamReader) => {
    const countEvents = counterOf(stream);
    const isEnded = () => stream.text.includes('event: complete');
    await stream.until(() => countEvents() >= DEBTORS || isEnded());
    if (isEnded()) ended.push(stream.text);
  };
  await Promise.all(streams.map(read));
  expect([ended.length > 0, ended.length < streams.length]).toEqual([true, true]);
  for (const text of ended) expect(text).toMatch(/"code":"OVERLOADED",.*"ends":true,"cursor":"\w+"/);
});
