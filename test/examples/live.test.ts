import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEventParser, follow, type LiveStatus, type Place } from '../../examples/dashboard/src/live.ts';

test('the events of a stream are the same in whatever pieces they come', () => {
  const text =
    ':\n\nevent: next\nid: c1\ndata: {"data":{"name":"Zoë: 1"}}\n\n:\n\n:\nid: c2\n\n' +
    'event: next\r\ndata: {"two":\r\ndata: "lines"}\r\n\r\nevent: complete\nid: c3\ndata: \n\n';
  for (const size of [1, 2, 3, 7, 50, text.length]) {
    const parse = createEventParser();
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(pieces.flatMap((piece) => parse(piece))).toEqual([
      { type: 'next', id: 'c1', data: '{"data":{"name":"Zoë: 1"}}' },
      { type: 'alive', id: 'c2', data: '' },
      { type: 'next', id: undefined, data: '{"two":\n"lines"}' },
      { type: 'complete', id: 'c3', data: '' },
    ]);
  }
});

/** A stream that a test writes. */
function createStream(contentType = 'text/event-stream; charset=utf-8') {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const send = (text: string) => void writer.write(new TextEncoder().encode(text)).catch(() => {});
  const next = (id: string, result: object) =>
    send(`event: next\nid: ${id}\ndata: ${JSON.stringify(result)}\n\n`);
  return {
    response: new Response(readable, { headers: { 'content-type': contentType } }),
    live: (id?: string) => send(id === undefined ? ':\n\n' : `:\nid: ${id}\n\n`),
    event: (name: string) => next(`after ${name}`, { data: { name } }),
    end(code: string) {
      next('end', { data: null, errors: [{ message: 'Ended.', extensions: { code, ends: true } }] });
      send('event: complete\nid: end\ndata: \n\n');
    },
    close: () => void writer.close().catch(() => {}),
  };
}

type Opened = Response | 'unreachable' | 'silent';

/** Follows what is opened one after another. */
function start(answers: readonly Opened[], place: Place = {}) {
  const cursors: (string | undefined)[] = [];
  const statuses: LiveStatus[] = [];
  const data: unknown[] = [];
  const abort = new AbortController();
  let hasEnded = false;
  const followed = {
    place,
    open(cursor: string | undefined, signal: AbortSignal): Promise<Response> {
      const answer = answers[cursors.length] ?? 'silent';
      cursors.push(cursor);
      if (answer === 'unreachable') return Promise.reject(new TypeError('fetch failed'));
      // As `fetch` does: what is aborted ends with an error, be it in the middle of a body.
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => {
          reject(signal.reason);
          if (answer !== 'silent') void answer.body?.cancel().catch(() => {});
        }),
      );
      aborted.catch(() => {});
      return answer === 'silent' ? aborted : Promise.resolve(withAbort(answer, signal));
    },
    onData: (batch: readonly unknown[]) => void data.push(...batch),
    onStatus: (status: LiveStatus) => void statuses.push(status),
  };
  void follow(followed, abort.signal).then(() => {
    hasEnded = true;
  });
  return {
    place,
    cursors,
    data,
    status: () => statuses.at(-1),
    states: () => statuses.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]),
    hasEnded: () => hasEnded,
    stop: () => abort.abort(),
  };
}

function withAbort(response: Response, signal: AbortSignal): Response {
  if (!response.body) return response;
  const body = new TransformStream<Uint8Array, Uint8Array>();
  void response.body.pipeTo(body.writable, { signal }).catch(() => {});
  return new Response(body.readable, response);
}

/** Lets promises settle, and time pass. */
const pass = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

describe('a stream that is followed', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is connected with its first byte, and tells what comes', async () => {
    const stream = createStream();
    const { status, data, place, stop } = start([stream.response]);
    await pass();
    expect(status()).toBeUndefined();
    stream.live('start');
    await pass();
    expect(status()).toEqual({ state: 'connected' });
    expect(place.cursor).toBe('start');
    stream.event('a');
    stream.event('b');
    await pass();
    expect(data).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(place.cursor).toBe('after b');
    stop();
  });

  test('goes on behind its last event: after a restart at once, after a broken connection a little later', async () => {
    const [one, two, three] = [createStream(), createStream(), createStream()];
    const { cursors, states, stop } = start([one.response, two.response, 'unreachable', three.response]);
    one.event('a');
    one.end('SERVER_STOPPING');
    await pass();
    expect(cursors).toEqual([undefined, 'end']);
    two.event('b');
    await pass(6_000);
    two.close();
    await pass();
    expect(cursors).toHaveLength(2);
    await pass(1_000);
    expect(cursors).toEqual([undefined, 'end', 'after b']);
    await pass(2_000);
    expect(cursors).toHaveLength(4);
    three.live();
    await pass();
    expect(states()).toEqual(['connected', 'catching up', 'connected', 'catching up', 'connected']);
    stop();
  });

  test('is taken for dead after 40 s without a sign of life, or after a sleep', async () => {
    const [one, two] = [createStream(), createStream()];
    const { cursors, status, stop } = start([one.response, two.response]);
    one.event('a');
    for (let beats = 0; beats < 10; beats += 1) {
      await pass(12_000);
      one.live();
    }
    await pass(39_000);
    expect(status()).toEqual({ state: 'connected' });
    await pass(3_000);
    expect(cursors).toEqual([undefined, 'after a']);
    two.live();
    await pass();
    // Timers stand still, and the clock has moved when they go on.
    vi.setSystemTime(Date.now() + 3_600_000);
    await pass(2_000);
    expect(cursors).toEqual([undefined, 'after a', 'after a']);
    stop();
  });

  const json = (status: number, headers: Record<string, string> = {}, code = 'SOME_CODE') =>
    new Response(JSON.stringify({ errors: [{ message: 'Said.', extensions: { code } }] }), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });

  test.each([
    ['406', json(406), { state: 'not possible', message: 'Said.' }, 300_000],
    ['503', json(503), { state: 'not possible' }, 30_000],
    ['503 for two minutes', json(503, { 'retry-after': '120' }), { state: 'not possible' }, 120_000],
    ['503 of a gateway that stops', json(503, {}, 'SERVER_STOPPING'), { state: 'catching up' }, 1_000],
    ['a refused token', json(401, {}, 'UNAUTHENTICATED'), { state: 'refused', message: 'Said.' }, undefined],
  ])('that is answered with %s is tried again at its time', async (_case, response, expected, pauseMs) => {
    const { status, cursors, hasEnded, stop } = start([response]);
    await pass();
    expect(status()).toMatchObject(expected);
    expect(hasEnded()).toBe(pauseMs === undefined);
    await pass((pauseMs ?? 600_000) - 600);
    expect(cursors).toHaveLength(1);
    await pass(600);
    expect(cursors).toHaveLength(pauseMs === undefined ? 1 : 2);
    stop();
  });

  test('ends with a refusal, and with a place that has expired', async () => {
    for (const [code, state] of [
      ['UNAUTHENTICATED', 'refused'],
      ['CHANGES_EXPIRED', 'expired'],
    ]) {
      const stream = createStream();
      const { status, hasEnded, place } = start([stream.response], { cursor: 'old' });
      stream.end(String(code));
      await pass();
      expect(status()).toEqual({ state, message: 'Ended.' });
      expect(hasEnded()).toBe(true);
      expect(place.cursor).toBe('end');
    }
  });
});
