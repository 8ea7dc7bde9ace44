import { describe, expect, test } from 'vitest';
import { Interruptible, SILENCE } from '../../src/limits/interruptible.ts';
import { eventually } from '../support/eventually.ts';
import { event, Feed } from './support.ts';

const LONG = 60_000;
const unexpected = (error: unknown) => expect.unreachable(String(error));

describe('what can be interrupted', () => {
  test('gives what comes, in order, and its end', async () => {
    const feed = new Feed().tell(event(1), event(2)).end();
    const items = new Interruptible(feed, unexpected);
    expect(await items.next(LONG)).toMatchObject({ done: false, value: event(1) });
    expect(await items.next(LONG)).toMatchObject({ done: false, value: event(2) });
    expect(await items.next(LONG)).toMatchObject({ done: true });
    expect(await items.next(LONG)).toMatchObject({ done: true });
    items.leave();
    // It has ended by itself.
    expect([feed.asked, feed.returned]).toEqual([3, 0]);
  });

  test('tells of silence, and asks once for what then comes', async () => {
    const feed = new Feed();
    const items = new Interruptible(feed, unexpected);
    expect(await items.next(1)).toBe(SILENCE);
    expect(await items.next(1)).toBe(SILENCE);
    feed.tell(event(1));
    expect(await items.next(LONG)).toMatchObject({ value: event(1) });
    expect(feed.asked).toBe(1);
  });

  test('fails as it does', async () => {
    const feed = new Feed().fail(new Error('broken'));
    const items = new Interruptible(feed, unexpected);
    await expect(items.next(LONG)).rejects.toThrow('broken');
    expect(await items.next(LONG)).toMatchObject({ done: true });
  });

  test('is left while it is waited for, at once and once', async () => {
    const feed = new Feed();
    const items = new Interruptible(feed, unexpected);
    const waiting = items.next(LONG);
    items.leave();
    items.leave();
    expect(feed.returned).toBe(1);
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await items.next(LONG)).toEqual({ done: true, value: undefined });
  });

  test('is left though it is a generator that waits for ever', async () => {
    const generator = (async function* () {
      await new Promise(() => {});
      yield 1;
    })();
    const items = new Interruptible(generator, unexpected);
    const waiting = items.next(LONG);
    items.leave();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test('tells of what fails once nobody waits for it', async () => {
    const faults: unknown[] = [];
    const failing: AsyncIterator<number> = {
      next: () => new Promise(() => {}),
      return() {
        throw new Error('not closed');
      },
    };
    new Interruptible(failing, (error) => faults.push(error)).leave();
    await eventually(() => expect(faults).toEqual([new Error('not closed')]));
  });
});
