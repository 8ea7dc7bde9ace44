import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Cancellation } from '../../src/rest/client/cancellation.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from '../../src/rest/client/concurrency.ts';

interface Entry {
  readonly owner: string;
  readonly number: number;
  readonly caller: Cancellation;
  state: 'waiting' | 'running' | 'left' | 'done';
}

/** Calls of several owners, and what became of each so far. */
class Crowd {
  readonly limit: ConcurrencyLimit;
  readonly entries: Entry[] = [];
  /** In the order in which they came to run. */
  readonly started: Entry[] = [];

  constructor(running: number, waiting: number) {
    this.limit = createConcurrencyLimit({ running, waiting });
  }

  /** False where it is refused. */
  enter(owner: string): boolean {
    const entry: Entry = { owner, number: this.entries.length, caller: new Cancellation(), state: 'waiting' };
    try {
      const turn = this.limit.enter(owner, entry.caller);
      this.entries.push(entry);
      if (turn === undefined) this.#start(entry);
      else turn.then(() => this.#start(entry)).catch(() => {});
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
      return false;
    }
  }

  #start(entry: Entry): void {
    entry.state = 'running';
    this.started.push(entry);
  }

  of(state: Entry['state'], owner?: string): Entry[] {
    return this.entries.filter(
      (entry) => entry.state === state && (owner === undefined || entry.owner === owner),
    );
  }

  async end(entry: Entry | undefined): Promise<void> {
    if (entry?.state !== 'running') return;
    entry.state = 'done';
    this.limit.leave(entry.owner);
    await Promise.resolve();
    await Promise.resolve();
  }

  abort(entry: Entry | undefined): void {
    if (entry?.state !== 'waiting') return;
    entry.state = 'left';
    entry.caller.abort('closed');
  }

  /** Ends whatever runs, until nothing does. */
  async finish(): Promise<void> {
    for (let [next] = this.of('running'); next; [next] = this.of('running')) await this.end(next);
  }
}

const names = (entries: readonly Entry[]) => entries.map(({ owner }) => owner);

describe('a concurrency limit', () => {
  test('leaves a quiet owner a slot at once while another is greedy', () => {
    const crowd = new Crowd(8, 8);
    while (crowd.enter('greedy'));
    expect([crowd.of('running').length, crowd.of('waiting').length]).toEqual([4, 4]);
    crowd.enter('quiet');
    expect(crowd.of('running', 'quiet')).toHaveLength(1);
  });

  test('serves waiting owners in turn, however many calls each has waiting', async () => {
    const crowd = new Crowd(1, 100);
    crowd.enter('first');
    for (const owner of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) crowd.enter(owner);
    await crowd.finish();
    expect(names(crowd.started)).toEqual(['first', 'a', 'b', 'c', 'a', 'b', 'a', 'a']);
  });

  test('gives the next free slot to an owner below its share, not to one above it that has waited longer', async () => {
    const crowd = new Crowd(4, 40);
    // Each holds all it may: two, one and one of four.
    for (const owner of ['a', 'a', 'b', 'c', 'a', 'b']) crowd.enter(owner);
    expect(crowd.of('waiting')).toHaveLength(2);
    crowd.enter('late');
    await crowd.end(crowd.of('running', 'c')[0]);
    expect(names(crowd.of('running'))).toEqual(['a', 'a', 'b', 'late']);
  });

  test('lets two go on where one that ends makes way for another owner and for its own', async () => {
    const crowd = new Crowd(3, 9);
    for (const owner of ['a', 'b', 'a', 'b']) crowd.enter(owner);
    expect(crowd.of('waiting')).toHaveLength(2);
    await crowd.end(crowd.of('running', 'b')[0]);
    expect(names(crowd.of('running'))).toEqual(['a', 'a', 'b']);
  });

  test('gives the place of a cancelled call in the queue to another', async () => {
    const crowd = new Crowd(2, 2);
    crowd.enter('a');
    crowd.enter('a');
    expect(crowd.enter('a')).toBe(false);
    crowd.abort(crowd.of('waiting')[0]);
    expect(crowd.enter('a')).toBe(true);
    await crowd.finish();
    expect(crowd.started.map(({ number }) => number)).toEqual([0, 2]);
  });
});

type Step = { readonly do: 'enter' | 'end' | 'abort'; readonly owner: string; readonly pick: number };

const steps = fc.array(
  fc.record<Step>({
    do: fc.constantFrom('enter', 'enter', 'end', 'abort'),
    owner: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    pick: fc.nat(50),
  }),
  { maxLength: 120 },
);

async function apply(crowd: Crowd, { do: action, owner, pick }: Step): Promise<void> {
  const running = crowd.of('running');
  const waiting = crowd.of('waiting');
  if (action === 'enter') crowd.enter(owner);
  else if (action === 'end') await crowd.end(running[pick % Math.max(1, running.length)]);
  else crowd.abort(waiting[pick % Math.max(1, waiting.length)]);
}

describe('whatever calls begin, end and are cancelled', () => {
  const bounds = fc.record({
    running: fc.integer({ min: 1, max: 9 }),
    waiting: fc.integer({ min: 0, max: 9 }),
  });

  test('no more run or wait than the limits, each owner in order, and all is given back', async () => {
    await fc.assert(
      fc.asyncProperty(bounds, steps, async ({ running, waiting }, taken) => {
        const crowd = new Crowd(running, waiting);
        for (const step of taken) {
          await apply(crowd, step);
          expect(crowd.of('running').length).toBeLessThanOrEqual(running);
          expect(crowd.of('waiting').length).toBeLessThanOrEqual(waiting);
          // Nobody waits who may run.
          const free = running - crowd.of('running').length;
          for (const { owner } of crowd.of('waiting')) {
            expect(crowd.of('running', owner).length).toBeGreaterThanOrEqual(free);
          }
        }
        await crowd.finish();
        // Nothing that waited is lost.
        expect(crowd.of('waiting')).toEqual([]);
        for (const owner of ['a', 'b', 'c', 'd', 'e']) {
          const order = crowd.started.filter((entry) => entry.owner === owner).map(({ number }) => number);
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        }
        // All slots are free again: one owner alone gets half of them, rounded up.
        const before = crowd.started.length;
        while (crowd.of('waiting').length === 0 && crowd.enter('z'));
        expect(crowd.started.length - before).toBe(Math.ceil(running / 2));
      }),
    );
  });

  test('a quiet owner runs at once, where the limit doubles for each of the others', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const crowd = new Crowd(2 ** 5, 2 ** 5);
        for (const step of taken) {
          await apply(crowd, step);
          expect(crowd.enter('quiet')).toBe(true);
          const [quiet] = crowd.of('running', 'quiet');
          expect(quiet).toBeDefined();
          await crowd.end(quiet);
        }
      }),
    );
  });
});
