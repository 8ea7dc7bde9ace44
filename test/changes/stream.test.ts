import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Change, StreamFault } from '../../src/changes/change.ts';
import { TOO_SLOW } from '../../src/changes/endings.ts';
import { decodeFeedCursor, type FeedPosition } from '../../src/changes/position.ts';
import { ChangeStream } from '../../src/changes/stream.ts';

function openStream() {
  let held = 0;
  let closed = 0;
  const stream = new ChangeStream({
    administrationId: '1001',
    hold: (bytes) => {
      held += bytes;
    },
    onClose: () => {
      closed += 1;
    },
  });
  stream.advance('DEBTOR_CHANGED', { mark: 1 });
  stream.advance('PAYMENT_DELETED', { mark: 1 });
  return { stream, held: () => held, closed: () => closed };
}

const change =
  (eventId: string) =>
  (cursor: string): Change => ({
    eventId,
    cursor,
    kind: 'DEBTOR_CHANGED',
    administrationId: '1001',
    seenAt: '',
    record: { id: Object('1') },
  });

const at = (id: string): FeedPosition => ({ mark: 1, walk: { start: 2, id } });
const positionsIn = (cursor: string) =>
  Object.fromEntries(decodeFeedCursor(cursor, '1001', ['DEBTOR_CHANGED', 'PAYMENT_DELETED']));

async function taken(stream: ChangeStream) {
  const { value } = await stream.next();
  return value;
}

describe('the cursor', () => {
  test('is behind what was taken, not behind what waits', async () => {
    const { stream } = openStream();
    stream.push('DEBTOR_CHANGED', at('a'), 10, change('1'));
    stream.push('PAYMENT_DELETED', at('b'), 10, change('2'));
    stream.push('DEBTOR_CHANGED', at('c'), 10, change('3'));
    stream.advance('DEBTOR_CHANGED', { mark: 9 });
    expect(positionsIn(stream.cursor)).toEqual({ DEBTOR_CHANGED: { mark: 1 }, PAYMENT_DELETED: { mark: 1 } });
    await taken(stream);
    expect(positionsIn(stream.cursor)).toEqual({ DEBTOR_CHANGED: at('a'), PAYMENT_DELETED: { mark: 1 } });
    await taken(stream);
    expect(positionsIn(stream.cursor)).toEqual({ DEBTOR_CHANGED: at('a'), PAYMENT_DELETED: at('b') });
    await taken(stream);
    expect(positionsIn(stream.cursor)).toEqual({ DEBTOR_CHANGED: { mark: 9 }, PAYMENT_DELETED: at('b') });
  });

  test('follows the latest of many polls once all that waits was taken', async () => {
    const { stream } = openStream();
    stream.push('DEBTOR_CHANGED', at('a'), 10, change('1'));
    for (const mark of [2, 3, 4]) {
      stream.advance('DEBTOR_CHANGED', { mark });
      stream.advance('PAYMENT_DELETED', { mark });
    }
    await taken(stream);
    expect(positionsIn(stream.cursor)).toEqual({ DEBTOR_CHANGED: { mark: 4 }, PAYMENT_DELETED: { mark: 4 } });
  });

  test('is that of an event as it is told', async () => {
    const { stream } = openStream();
    stream.push('DEBTOR_CHANGED', at('a'), 10, change('1'));
    expect(await taken(stream)).toMatchObject({ eventId: '1', cursor: stream.cursor });
  });

  test('knows a kind as soon as it has started, whatever waits', async () => {
    const stream = new ChangeStream({ administrationId: '1001', hold() {}, onClose() {} });
    stream.advance('DEBTOR_CHANGED', { mark: 1 });
    stream.push('DEBTOR_CHANGED', at('a'), 10, change('1'));
    stream.advance('PAYMENT_DELETED', { mark: 3 });
    await taken(stream);
    expect(positionsIn(stream.cursor)).toEqual({ DEBTOR_CHANGED: at('a'), PAYMENT_DELETED: { mark: 3 } });
  });
});

describe('an end', () => {
  test('comes behind what waits, with the cursor behind it', async () => {
    const { stream, closed } = openStream();
    stream.push('DEBTOR_CHANGED', at('a'), 10, change('1'));
    stream.end({ code: 'FORBIDDEN', message: 'no' });
    stream.push('DEBTOR_CHANGED', at('b'), 10, change('2'));
    // What a walk that goes on for others has read was not pushed here.
    stream.advance('DEBTOR_CHANGED', at('b'));
    expect(await taken(stream)).toMatchObject({ eventId: '1' });
    const fault = await taken(stream);
    expect(fault).toBeInstanceOf(StreamFault);
    expect(fault).toMatchObject({ code: 'FORBIDDEN', ends: true, cursor: stream.cursor });
    expect(positionsIn(stream.cursor).DEBTOR_CHANGED).toEqual(at('a'));
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(closed()).toBe(1);
  });

  test('of a slow reader drops what waits, and its cursor is behind what was taken', async () => {
    const { stream, held } = openStream();
    stream.push('DEBTOR_CHANGED', at('a'), 10, change('1'));
    stream.push('DEBTOR_CHANGED', at('b'), 10, change('2'));
    await taken(stream);
    stream.end(TOO_SLOW, true);
    stream.advance('DEBTOR_CHANGED', at('c'));
    expect(await taken(stream)).toMatchObject({ code: 'SLOW_CONSUMER' });
    expect(positionsIn(stream.cursor).DEBTOR_CHANGED).toEqual(at('a'));
    expect(held()).toBe(0);
  });

  test('by the reader ends what waits for an event or for room', async () => {
    const { stream, held, closed } = openStream();
    const next = stream.next();
    await stream.return();
    expect(await next).toEqual({ done: true, value: undefined });
    expect([held(), closed()]).toEqual([0, 1]);
    expect(await stream.room(Number.POSITIVE_INFINITY)).toBe(true);
  });
});

test('what was taken without waiting counts until the next is asked for', async () => {
  const { stream, held } = openStream();
  for (const id of ['1', '2', '3']) stream.push('DEBTOR_CHANGED', at(id), 1_000, change(id));
  await taken(stream);
  stream.takeNow();
  // All are held, though one alone waits: what is made of the others may not be sent yet.
  expect(held()).toBeGreaterThan(3_000);
  await taken(stream);
  expect(held()).toBeLessThan(2_000);
  await stream.return();
  expect(held()).toBe(0);
});

describe('room', () => {
  test('is there until more than a page waits, and again when some was taken', async () => {
    const { stream } = openStream();
    for (let count = 0; count <= 500; count += 1)
      stream.push('DEBTOR_CHANGED', at(String(count)), 1, change(String(count)));
    expect(await stream.room(1)).toBe(false);
    const room = stream.room(Number.POSITIVE_INFINITY);
    stream.takeNow();
    expect(await room).toBe(true);
  });

  test('is waited for as long as its reader waits for the gateway, but not for ever', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { stream } = openStream();
    for (let count = 0; count <= 500; count += 1)
      stream.push('DEBTOR_CHANGED', at(String(count)), 1, change(String(count)));
    const outcomes: boolean[] = [];
    const wait = () => void stream.room(100).then((outcome) => outcomes.push(outcome));
    wait();
    await vi.advanceTimersByTimeAsync(90);
    stream.asked();
    await vi.advanceTimersByTimeAsync(400);
    expect(outcomes).toEqual([]);
    stream.gave();
    await vi.advanceTimersByTimeAsync(10);
    expect(outcomes).toEqual([false]);
    stream.asked();
    wait();
    await vi.advanceTimersByTimeAsync(499);
    expect(outcomes).toEqual([false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toEqual([false, false]);
    wait();
    stream.addReaderMs(100);
    await vi.advanceTimersByTimeAsync(100);
    expect(outcomes).toEqual([false, false, false]);
  });

  test('ends its wait with the stream', async () => {
    const { stream } = openStream();
    for (let count = 0; count <= 500; count += 1)
      stream.push('DEBTOR_CHANGED', at(String(count)), 1, change(String(count)));
    const room = stream.room(Number.POSITIVE_INFINITY);
    await stream.return();
    expect(await room).toBe(true);
  });
});
