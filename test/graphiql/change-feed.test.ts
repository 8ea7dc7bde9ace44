import { expect, test, vi } from 'vitest';
import { createChangeFeed } from '../../src/graphiql/change-feed.ts';
import type { Kind } from '../../src/graphiql/change-stream.ts';
import { createBrowserSession, type SessionState } from '../../src/graphiql/session.ts';
import { memoryStorage } from './memory-storage.ts';
import { startStreamServer } from './stream-server.ts';

const settings = {
  endpoint: '/graphql',
  credentials: { token: 'given', clientId: '', clientSecret: '' },
  administrationId: '7',
  tabs: [],
};
const ALL = ['DEBTOR_CHANGED', 'DECLARATION_LINE_CHANGED', 'CREDIT_CASE_DELETED', 'PAYMENT_DELETED'];

const event = (cursor: string) => ({
  data: {
    changes: {
      eventId: `event of ${cursor}`,
      kind: 'DEBTOR_CHANGED',
      seenAt: new Date().toISOString(),
      debtor: { internalId: cursor },
    },
  },
});

const failure = (code: string, ends?: boolean, retryAfter?: number) => ({
  data: null,
  errors: [{ message: `Said of ${code}.`, extensions: { code, ends, retryAfter } }],
});

async function startFeed(...parameters: Parameters<typeof startStreamServer>) {
  const server = await startStreamServer(...parameters);
  const session = createBrowserSession(settings, memoryStorage());
  const feed = createChangeFeed(server.url, session);
  return {
    server,
    session,
    feed,
    /** The titles and subjects of the list. */
    lines: () => feed.get().entries.map(({ title, subject }) => `${title} ${subject}`.trim()),
    becomes: (state: object) => expect.poll(() => feed.get(), { timeout: 5_000 }).toMatchObject(state),
    variablesOf: async (index: number) => {
      const { body } = await server.request(index);
      return body instanceof Object && 'variables' in body ? body.variables : undefined;
    },
  };
}

test('asks for the chosen administration and kinds, as a stream, with the token of the strip', async () => {
  const { feed, server, becomes, variablesOf, lines } = await startFeed();
  expect(feed.get()).toMatchObject({ status: 'stopped', entries: [] });
  feed.choose(['PAYMENT_DELETED']);
  feed.start();
  expect(feed.get().status).toBe('connecting');
  const { headers, next } = await server.request(0);
  expect(headers).toMatchObject({ authorization: 'Bearer given', accept: 'text/event-stream' });
  expect(await variablesOf(0)).toEqual({ administrationId: '7', kinds: ['PAYMENT_DELETED'] });
  await becomes({ status: 'connected', isFailure: false });
  next(event('a'), 'a');
  next(event('b'), 'b');
  await expect.poll(lines).toEqual(['Debtor changed b', 'Debtor changed a']);
  feed.stop();
});

test('goes on behind the last cursor when it is started again, or starts anew', async () => {
  const { feed, server, variablesOf, lines } = await startFeed();
  feed.start();
  (await server.request(0)).next(event('a'), 'a');
  await expect.poll(lines).toHaveLength(1);
  feed.stop();
  expect(feed.get()).toMatchObject({ status: 'stopped', isFailure: false });
  feed.start();
  expect(await variablesOf(1)).toEqual({ administrationId: '7', kinds: ALL, after: 'a' });
  (await server.request(1)).next(event('a'), 'a');
  (await server.request(1)).next(event('b'), 'b');
  await expect.poll(lines).toEqual(['Debtor changed b', 'Debtor changed a']);
  feed.stop();
  feed.startAnew();
  expect(lines()).toEqual([]);
  expect(await variablesOf(2)).toEqual({ administrationId: '7', kinds: ALL });
  feed.stop();
});

test.each<[string, Partial<SessionState>, readonly Kind[]]>([
  ['another administration', { administrationId: '8' }, ['DEBTOR_CHANGED']],
  ['a kind that it was not started with', {}, ['DEBTOR_CHANGED', 'PAYMENT_DELETED']],
])('starts now for %s, whose changes no cursor holds, and says so', async (_case, change, kinds) => {
  const { feed, session, server, variablesOf, lines } = await startFeed();
  feed.choose(['DEBTOR_CHANGED']);
  feed.start();
  (await server.request(0)).next(event('a'), 'a');
  await expect.poll(lines).toHaveLength(1);
  feed.stop();
  session.set(change);
  feed.choose(kinds);
  feed.start();
  expect(await variablesOf(1)).toEqual({ administrationId: session.get().administrationId, kinds });
  expect(lines()[0]).toContain('earlier changes are not shown');
  feed.stop();
});

test('stops where another administration is chosen meanwhile', async () => {
  const { feed, session, server } = await startFeed();
  feed.start();
  const { response } = await server.request(0);
  session.set({ administrationId: '8' });
  expect(feed.get()).toMatchObject({ status: 'stopped', note: expect.stringContaining('administration') });
  await expect.poll(() => response.destroyed).toBe(true);
});

test('tells a notice, and goes on from its cursor', async () => {
  const { feed, server, lines, becomes, variablesOf } = await startFeed();
  feed.start();
  (await server.request(0)).next(failure('UPSTREAM_UNAVAILABLE', false, 5), 'n');
  await expect.poll(lines).toEqual(['Said of UPSTREAM_UNAVAILABLE. The gateway tries again in 5 s.']);
  await becomes({ status: 'connected' });
  feed.stop();
  feed.start();
  expect(await variablesOf(1)).toMatchObject({ after: 'n' });
  feed.stop();
});

test.each(['SERVER_STOPPING', 'SLOW_CONSUMER'])('connects again at once after %s', async (code) => {
  const { feed, server, becomes, variablesOf, lines } = await startFeed();
  feed.start();
  const { next, complete } = await server.request(0);
  next(failure(code, true), 'z');
  complete();
  expect(await variablesOf(1)).toMatchObject({ after: 'z' });
  await becomes({ status: 'connected', isFailure: false });
  expect(lines()).toEqual([]);
  feed.stop();
});

test.each([
  ['UNAUTHENTICATED', ' Paste another access token into the box at the top.'],
  [
    'FORBIDDEN',
    ' Choose another administration at the top, or in the query if it names one, or paste another access token.',
  ],
  ['CHANGES_EXPIRED', ''],
  ['BAD_USER_INPUT', ''],
  ['GRAPHQL_VALIDATION_FAILED', ''],
])('stops after %s, which it says, with what to do, and can be started again', async (code, advice) => {
  const note = `Said of ${code}.${advice}`;
  const { feed, server, session, becomes, lines } = await startFeed();
  feed.start();
  const { next, complete } = await server.request(0);
  // What is refused before there is a stream says nothing of its end.
  next(code === 'GRAPHQL_VALIDATION_FAILED' ? failure(code) : failure(code, true));
  complete();
  await becomes({ status: 'stopped', note, isFailure: true });
  expect(lines()).toEqual([note]);
  session.set({ token: 'another' });
  feed.start();
  expect((await server.request(1)).headers.authorization).toBe('Bearer another');
  feed.stop();
});

test('connects again after a connection that broke, where that one was, be it before any event', async () => {
  const { feed, server, becomes, variablesOf } = await startFeed();
  feed.start();
  const first = await server.request(0);
  await becomes({ status: 'connected' });
  first.response.destroy();
  await becomes({ status: 'connecting', isFailure: true });
  expect(await variablesOf(1)).toMatchObject({ after: 'start' });
  const second = await server.request(1);
  second.next(event('a'), 'a');
  await becomes({ status: 'connected', entries: [{ subject: 'a' }] });
  second.response.destroy();
  expect(await variablesOf(2)).toEqual({ administrationId: '7', kinds: ALL, after: 'a' });
  feed.stop();
});

test('tries again where it is refused with a 5xx, and stops at all else, which it says', async () => {
  const statuses = [503, 502, 406];
  const { feed, server, becomes } = await startFeed((response, index) => {
    const status = statuses[index] ?? 200;
    const body = JSON.stringify({ errors: [{ message: `Said with ${status}.`, extensions: {} }] });
    response
      .writeHead(status, { 'content-type': status === 502 ? 'text/html' : 'application/json' })
      .end(body);
    return true;
  });
  feed.start();
  await becomes({ status: 'connecting', note: expect.stringContaining('Said with 503.') });
  await becomes({ status: 'connecting', note: expect.stringContaining('502') });
  await becomes({ status: 'stopped', note: 'Said with 406.', isFailure: true });
  expect(server.count()).toBe(3);
});

test('pauses longer after each failure in a row, which a stream that lasts ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    const { feed, server } = await startFeed((response, index) => {
      if (index < 3) response.writeHead(502).end();
      return index < 3;
    });
    const says = async (text: string) => {
      while (!feed.get().note.includes(text)) await new Promise(setImmediate);
    };
    feed.start();
    for (const [index, seconds] of [1, 1, 2].entries()) {
      await server.request(index);
      await says(`in ${seconds} s`);
      vi.advanceTimersByTime(seconds * 1_000);
    }
    const { response } = await server.request(3);
    await says('Connected');
    vi.advanceTimersByTime(10_000);
    response.destroy();
    await says('Connecting again');
    expect(feed.get().note).toContain('in 1 s');
    feed.stop();
  } finally {
    vi.useRealTimers();
  }
});

test('takes a connection without any sign of life for dead', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { feed, server } = await startFeed();
    feed.start();
    const { response, next } = await server.request(0);
    next(event('a'), 'a');
    while (feed.get().entries.length === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(39_000);
    expect(feed.get().status).toBe('connected');
    vi.advanceTimersByTime(1_000);
    while (feed.get().status === 'connected') await new Promise(setImmediate);
    vi.advanceTimersByTime(1_000);
    await server.request(1);
    expect(response.destroyed).toBe(true);
    feed.stop();
  } finally {
    vi.useRealTimers();
  }
});
