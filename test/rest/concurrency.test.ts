import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Cancellation } from '../../src/rest/cancellation.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from '../../src/rest/client/concurrency.ts';
import { times } from '../support/times.ts';

interface Entry {
  readonly owner: string;
  readonly endpoint: string;
  readonly address: string;
  readonly number: number;
  readonly caller: Cancellation;
  state: 'waiting' | 'running' | 'left' | 'done';
}

/** Calls of several owners to several endpoints, and what became of each so far. */
class Crowd {
  readonly limit: ConcurrencyLimit;
  readonly entries: Entry[] = [];
  /** In the order in which they came to run. */
  readonly started: Entry[] = [];

  constructor(running: number, waiting: number) {
    this.limit = createConcurrencyLimit({ running, waiting });
  }

  /** False where it is refused. */
  enter(owner: string, endpoint = 'debtors', address = owner): boolean {
    const caller = new Cancellation();
    const number = this.entries.length;
    const entry: Entry = { owner, endpoint, address, number, caller, state: 'waiting' };
    try {
      const turn = this.limit.acquire(entry, caller);
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

  of(state: Entry['state'], owner?: string, endpoint?: string): Entry[] {
    return this.entries.filter(
      (entry) =>
        entry.state === state &&
        (owner === undefined || entry.owner === owner) &&
        (endpoint === undefined || entry.endpoint === endpoint),
    );
  }

  async end(entry: Entry | undefined): Promise<void> {
    if (entry?.state !== 'running') return;
    entry.state = 'done';
    this.limit.release(entry);
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
  test('leaves slots to others if one address has hundreds of owners', () => {
    const crowd = new Crowd(128, 1024);
    const many = times(300, (index) => crowd.enter(`greedy ${index}`, 'debtors', 'one address'));
    expect(many).not.toContain(false);
    expect(crowd.of('running')).toHaveLength(84);
    expect(crowd.enter('quiet')).toBe(true);
    expect(crowd.of('running', 'quiet')).toHaveLength(1);
  });

  test('gives freed slots to addresses in turn, however many owners each has', async () => {
    const crowd = new Crowd(8, 100);
    for (const owner of times(40, String)) crowd.enter(owner, 'debtors', 'one address');
    for (const owner of ['quiet', 'other']) crowd.enter(owner);
    const before = crowd.started.length;
    for (const entry of crowd.of('running').slice(0, 4)) await crowd.end(entry);
    expect(names(crowd.started.slice(before))).toEqual(expect.arrayContaining(['quiet', 'other']));
    await crowd.finish();
    expect(crowd.of('done')).toHaveLength(42);
  });

  test('counts an owner at the address where it was', async () => {
    const crowd = new Crowd(8, 8);
    for (const address of ['one', 'other']) crowd.enter('greedy', 'debtors', address);
    await crowd.finish();
    expect([crowd.limit.running(), crowd.limit.queued()]).toEqual([0, 0]);
  });

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
    for (const owner of ['a', 'a', 'b', 'c', 'a', 'b']) crowd.enter(owner, `list of ${owner}`);
    expect(crowd.of('waiting')).toHaveLength(2);
    crowd.enter('late', 'another list');
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

describe('an endpoint', () => {
  const owners = (count: number) => Array.from({ length: count }, (_, index) => `owner ${index}`);

  test('that many wait for leaves slots to the others, and room in the queue', () => {
    const crowd = new Crowd(128, 1024);
    for (const owner of owners(2000)) crowd.enter(owner, 'slow');
    expect([crowd.of('running').length, crowd.of('waiting').length]).toEqual([96, 768]);
    crowd.enter('quiet', 'healthy');
    expect(crowd.of('running', 'quiet')).toHaveLength(1);
  });

  test('that is healthy has room for each owner while another is slow', () => {
    const crowd = new Crowd(128, 1024);
    for (const owner of owners(200)) crowd.enter(owner, 'slow');
    for (const owner of owners(8)) crowd.enter(owner, 'healthy');
    expect(crowd.of('running', undefined, 'healthy')).toHaveLength(8);
  });

  test('leaves slots even where several are slow', () => {
    const crowd = new Crowd(128, 1024);
    for (const owner of owners(200)) for (const slow of ['1', '2', '3', '4']) crowd.enter(owner, slow);
    crowd.enter('quiet', 'healthy');
    expect(crowd.of('running', 'quiet')).toHaveLength(1);
  });

  test('takes no more of a freed slot than its turn', async () => {
    const crowd = new Crowd(1, 100);
    crowd.enter('first');
    for (const owner of ['a', 'b', 'c']) crowd.enter(owner, 'slow');
    crowd.enter('a', 'healthy');
    await crowd.finish();
    expect(crowd.started.map(({ owner, endpoint }) => `${owner} ${endpoint}`)).toEqual([
      'first debtors',
      'a slow',
      'a healthy',
      'b slow',
      'c slow',
    ]);
  });

  test('gives an owner alone half of all, and others a place beside it', () => {
    const crowd = new Crowd(128, 1024);
    while (crowd.enter('greedy'));
    expect([crowd.of('running').length, crowd.of('waiting').length]).toEqual([64, 512]);
    while (crowd.enter('second'));
    expect(crowd.of('running', 'second')).toHaveLength(22);
    crowd.enter('quiet');
    expect(crowd.of('running', 'quiet')).toHaveLength(1);
  });
});

interface Step {
  readonly do: 'enter' | 'end' | 'abort';
  readonly owner: string;
  readonly endpoint: string;
  readonly pick: number;
}

const OWNERS = ['a', 'b', 'c', 'd', 'e'];
const ENDPOINTS = ['debtors', 'tasks', 'payments'];

const stepsOf = (owners: readonly string[]) =>
  fc.array(
    fc.record<Step>({
      do: fc.constantFrom('enter', 'enter', 'end', 'abort'),
      owner: fc.constantFrom(...owners),
      endpoint: fc.constantFrom('debtors', ...ENDPOINTS),
      pick: fc.nat(50),
    }),
    // Without a size, hardly any would have more than ten.
    { maxLength: 120, size: 'max' },
  );

async function apply(crowd: Crowd, { do: action, owner, endpoint, pick }: Step): Promise<void> {
  const running = crowd.of('running');
  const waiting = crowd.of('waiting');
  if (action === 'enter') crowd.enter(owner, endpoint);
  else if (action === 'end') await crowd.end(running[pick % Math.max(1, running.length)]);
  else crowd.abort(waiting[pick % Math.max(1, waiting.length)]);
}

describe('whatever calls begin, end and are cancelled', () => {
  const bounds = fc.record({
    running: fc.integer({ min: 1, max: 16 }),
    waiting: fc.integer({ min: 0, max: 16 }),
  });

  /** Whether a call may take a slot, as its owner has fewer than are free, and its endpoint has one left for it. */
  function mayRun(crowd: Crowd, limit: number, { owner, endpoint }: Entry): boolean {
    const free = limit - crowd.of('running').length;
    const left = (3 * free - crowd.of('running', undefined, endpoint).length) / 4;
    return crowd.of('running', owner).length < free && crowd.of('running', owner, endpoint).length < 2 * left;
  }

  test('no more run or wait than the limits, each owner in order, and all is given back', async () => {
    await fc.assert(
      fc.asyncProperty(bounds, stepsOf(OWNERS), async ({ running, waiting }, taken) => {
        const crowd = new Crowd(running, waiting);
        for (const step of taken) {
          await apply(crowd, step);
          expect(crowd.of('running').length).toBeLessThanOrEqual(running);
          expect(crowd.of('waiting').length).toBeLessThanOrEqual(waiting);
          for (const endpoint of ENDPOINTS) {
            const ofEndpoint = crowd.of('running', undefined, endpoint).length;
            expect(ofEndpoint).toBeLessThanOrEqual(Math.ceil((3 / 4) * running));
          }
          // Nobody waits who may run.
          expect(crowd.of('waiting').filter((entry) => mayRun(crowd, running, entry))).toEqual([]);
        }
        await crowd.finish();
        // Nothing that waited is lost.
        expect(crowd.of('waiting')).toEqual([]);
        for (const owner of OWNERS) {
          for (const endpoint of ENDPOINTS) {
            const started = crowd.started.filter(
              (entry) => entry.owner === owner && entry.endpoint === endpoint,
            );
            const order = started.map(({ number }) => number);
            expect(order).toEqual(order.toSorted((a, b) => a - b));
          }
        }
        // All slots are free again: one owner alone gets half of them, rounded up.
        const before = crowd.started.length;
        while (crowd.of('waiting').length === 0 && crowd.enter('z'));
        expect(crowd.started.length - before).toBe(Math.ceil(running / 2));
      }),
    );
  });

  test('a quiet owner runs at once beside two that take all they may, at whichever endpoint', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf(['a', 'b']), fc.constantFrom(...ENDPOINTS), async (taken, endpoint) => {
        const crowd = new Crowd(36, 36);
        for (const step of taken) {
          await apply(crowd, step);
          expect(crowd.enter('quiet', endpoint)).toBe(true);
          const [quiet] = crowd.of('running', 'quiet');
          expect(quiet).toBeDefined();
          await crowd.end(quiet);
        }
      }),
    );
  });
});
