import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { SharedBudget } from '../../src/limits/shared-budget.ts';
import { isSliceOver, nextSlice } from '../../src/limits/time-slice.ts';
import { Cancellation } from '../../src/rest/cancellation.ts';
import { attempt } from '../../src/rest/client/attempt.ts';
import { type ParsePause, type TextCodec, WIRE_TEXT } from '../../src/rest/wire-text.ts';
import { eventually } from '../support/eventually.ts';

const CONTROLLER: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => {},
  pause: () => {},
  resume: () => {},
};

/** Answers as undici does: each chunk is a view of what was read from the socket. */
class AnswerInChunks extends Dispatcher {
  readonly #body: string;
  readonly #onArrival: () => void;

  constructor(body: string, onArrival: () => void) {
    super();
    this.#body = body;
    this.#onArrival = onArrival;
  }

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const read = Buffer.from(this.#body);
    handler.onResponseStart?.(CONTROLLER, 200, { 'content-type': 'application/json' });
    for (let index = 0; index < read.length; index += 1)
      handler.onResponseData?.(CONTROLLER, read.subarray(index, index + 1));
    this.#onArrival();
    handler.onResponseEnd?.(CONTROLLER, {});
    return true;
  }
}

test('an answer in chunks of one byte takes about its length, and that is what is counted', async () => {
  const value = { data: 'x'.repeat(300_000) };
  const body = JSON.stringify(value);
  const memory = new SharedBudget(10_000_000, { evicts: 'newest' });
  let held = 0;
  let used = 0;
  const before = usedBytes();
  const response = await attempt({
    dispatcher: new AnswerInChunks(body, () => {
      held = memory.held;
      used = usedBytes() - before;
    }),
    service: { prefix: '', text: WIRE_TEXT, memory, onEvict: () => {} },
    sender: { authorization: 'Bearer token', owner: 'owner', cancellation: new Cancellation() },
    request: { method: 'GET', endpoint: 'GET /things', path: '/things' },
    deadline: performance.now() + 60_000,
    limit: '1 s',
  });
  expect(response.body).toEqual(value);
  expect(held).toBeGreaterThanOrEqual(body.length);
  expect(held).toBeLessThanOrEqual(1.5 * body.length + 1024);
  expect(used).toBeLessThan(10 * body.length);
  expect(memory.held).toBe(0);
});

test.each([
  ['leaves', 300_000],
  ['is evicted', 300_000],
  ['leaves', 20_000],
])(
  'whoever %s while an answer of %i bytes waits to be parsed is told at once, and it is not parsed',
  async (what, length) => {
    const memory = new SharedBudget(3_000_000, { evicts: 'newest' });
    const cancellation = new Cancellation();
    let parsed = 0;
    const text = {
      ...WIRE_TEXT,
      parse: (content: Buffer) => {
        parsed += 1;
        return WIRE_TEXT.parse(content);
      },
      parseLarge: (content: Buffer, pause: ParsePause) => {
        parsed += 1;
        return WIRE_TEXT.parseLarge(content, pause);
      },
    };
    // Whatever is long waits for the next turn.
    while (!isSliceOver());
    const response = attempt({
      dispatcher: new AnswerInChunks(JSON.stringify({ data: 'x'.repeat(length) }), () => {}),
      service: { prefix: '', text, memory, onEvict: () => {} },
      sender: { authorization: 'Bearer token', owner: 'owner', cancellation },
      request: { method: 'GET', endpoint: 'GET /things', path: '/things' },
      deadline: performance.now() + 60_000,
      limit: '1 s',
    });
    if (what === 'leaves') cancellation.abort('closed');
    else
      memory
        .hold(
          'owner',
          () => {},
          () => false,
        )
        .add(3_000_000);
    await expect(response).rejects.toMatchObject({
      code: what === 'leaves' ? 'UPSTREAM_UNAVAILABLE' : 'OVERLOADED',
    });
    await nextSlice('other');
    await nextSlice('other');
    expect(parsed).toBe(0);
  },
);

/** An attempt whose answer is long enough to be parsed in several turns. */
function longAttempt(
  text: TextCodec,
  {
    cancellation = new Cancellation(),
    deadlineMs = 60_000,
  }: { cancellation?: Cancellation; deadlineMs?: number },
) {
  return attempt({
    dispatcher: new AnswerInChunks(JSON.stringify({ data: 'x'.repeat(300_000) }), () => {}),
    service: {
      prefix: '',
      text,
      memory: new SharedBudget(3_000_000, { evicts: 'newest' }),
      onEvict: () => {},
    },
    sender: { authorization: 'Bearer token', owner: 'owner', cancellation },
    request: { method: 'GET', endpoint: 'GET /things', path: '/things' },
    deadline: performance.now() + deadlineMs,
    limit: '1 s',
  });
}

test('an answer that has come in time is not late, however long it waits to be parsed', async () => {
  const text = {
    ...WIRE_TEXT,
    async parseLarge(content: Buffer, pause: ParsePause) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return WIRE_TEXT.parseLarge(content, pause);
    },
  };
  const { body } = await longAttempt(text, { deadlineMs: 50 });
  expect(body).toEqual({ data: 'x'.repeat(300_000) });
});

/** An attempt whose answer has just arrived when others take so much of the memory. */
function attemptBeside(
  taken: number,
  { method, body, limit = 1_000_000 }: { method: 'GET' | 'POST'; body: string; limit?: number },
) {
  const memory = new SharedBudget(limit, { evicts: 'newest' });
  const older = memory.hold(
    'owner',
    () => {},
    () => false,
  );
  const held: number[] = [];
  const text = {
    ...WIRE_TEXT,
    parseLarge: (content: Buffer, pause: ParsePause) =>
      WIRE_TEXT.parseLarge(content, async (isParsed) => {
        const goesOn = await pause(isParsed);
        held.push(memory.held);
        return goesOn;
      }),
  };
  const response = attempt({
    dispatcher: new AnswerInChunks(body, () => older.add(taken)),
    service: { prefix: '', text, memory, onEvict: () => {} },
    sender: { authorization: 'Bearer token', owner: 'owner', cancellation: new Cancellation() },
    request: { method, endpoint: `${method} /things`, path: '/things' },
    deadline: performance.now() + 60_000,
    limit: '1 s',
  });
  return { response, held };
}

test.each([
  ['POST', 1_000, undefined],
  ['POST', 1_100_000, 'OPERATION_TOO_EXPENSIVE'],
  ['GET', 1_000, 'OVERLOADED'],
] as const)(
  'where others need the memory, an answer to %s of %i bytes ends as %s',
  async (method, length, code) => {
    const { response } = attemptBeside(2_000_000, {
      method,
      body: JSON.stringify('x'.repeat(length)),
      limit: 2_000_000,
    });
    if (code === undefined) expect((await response).body).toHaveLength(length);
    else await expect(response).rejects.toMatchObject({ code });
    if (method === 'POST' && code)
      await expect(response).rejects.toThrow('The write was made: do not send it');
  },
);

test('a long answer with escapes counts as a text and a value too while it is converted', async () => {
  const body = JSON.stringify({ data: `${'x'.repeat(300_000)}€` }).replace('€', '\\u20ac');
  const { response, held } = attemptBeside(0, { method: 'GET', body, limit: 1_150_000 });
  await response;
  expect(Math.max(...held)).toBeGreaterThan(3 * body.length);
  const evicted = attemptBeside(200_000, { method: 'GET', body, limit: 1_150_000 });
  await expect(evicted.response).rejects.toMatchObject({ code: 'OVERLOADED' });
  // It is not worked out any further.
  await eventually(() => expect(evicted.held).toHaveLength(2));
});

test('a short answer to a write gives way where its value takes much more', async () => {
  const records = Array(20_000).fill('{"35":1}');
  const { response } = attemptBeside(2_000_000, {
    method: 'POST',
    body: `["\\u20ac",${records}]`.padEnd(250_000),
    limit: 4_000_000,
  });
  await expect(response).rejects.toThrow('The write was made: do not send it');
});

test('whoever is given up while it waits for a turn lets go of its value at once', async () => {
  const cancellation = new Cancellation();
  const goesOn: boolean[] = [];
  const text = {
    ...WIRE_TEXT,
    async parseLarge(_content: Buffer, pause: ParsePause) {
      while (!isSliceOver());
      const paused = pause({ data: [] });
      cancellation.abort('closed');
      goesOn.push(await paused);
    },
  };
  const response = longAttempt(text, { cancellation });
  await expect(response).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  for (let microtask = 0; microtask < 10; microtask += 1) await undefined;
  expect(goesOn).toEqual([false]);
});

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
