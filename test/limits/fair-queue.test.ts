import { describe, expect, test } from 'vitest';
import { FairQueue } from '../../src/limits/fair-queue.ts';
import { Random } from '../execution/random.ts';
import { times } from '../support/times.ts';

/** A queue whose pieces of work take as long as they say, and what each owner has got. */
class Service {
  readonly #queue = new FairQueue();
  readonly got = new Map<string, number>();
  readonly served: string[] = [];

  add(owner: string, milliseconds: () => number, group = 'all'): void {
    this.#queue.add([group, owner], () => {
      const time = milliseconds();
      this.got.set(owner, (this.got.get(owner) ?? 0) + time);
      this.served.push(owner);
      this.#queue.count([group, owner], time);
    });
  }

  /** As one that has more to do whenever it is served. */
  addBusy(owner: string, milliseconds: () => number, group = 'all'): void {
    const go = () => {
      this.add(owner, go, group);
      return milliseconds();
    };
    this.add(owner, go, group);
  }

  serve(pieces: number): void {
    for (const _ of Array(pieces)) this.#queue.takeNext()?.start();
  }

  difference(owners: readonly string[]): number {
    const got = owners.map((owner) => this.got.get(owner) ?? 0);
    return Math.max(...got) - Math.min(...got);
  }
}

describe.each([1, 2, 3])('with seed %i', (seed) => {
  const random = new Random(seed);
  const upTo = (longest: number) => () => 0.1 + (random.below(100) * longest) / 100;

  test('those that always wait get the same time, however long their pieces are', () => {
    const service = new Service();
    const longest = { a: 1, b: 5, c: 5, d: 50 };
    for (const [owner, milliseconds] of Object.entries(longest)) service.addBusy(owner, upTo(milliseconds));
    service.serve(5_000);
    expect(service.difference(Object.keys(longest))).toBeLessThan(2 * 51);
  });

  test('groups get the same time, however many owners they have', () => {
    const service = new Service();
    for (const owner of times(100, String)) service.addBusy(owner, upTo(5), 'many');
    service.addBusy('only', upTo(5), 'one');
    service.serve(5_000);
    const all = [...service.got.values()].reduce((sum, time) => sum + time);
    expect(Math.abs((service.got.get('only') ?? 0) - all / 2)).toBeLessThan(10);
  });

  test('whoever asks for less than its share waits for few of the others', () => {
    const service = new Service();
    for (const owner of times(50, String)) service.addBusy(owner, upTo(5));
    service.add('quiet', () => 0.05);
    service.serve(500);
    const waits = times(100, () => {
      const before = service.served.length;
      service.add('quiet', () => 0.05);
      service.serve(50);
      return service.served.indexOf('quiet', before) - before;
    });
    expect(Math.max(...waits)).toBeLessThanOrEqual(10);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
  });

  test('what was used while nobody else waited is not held against anybody', () => {
    const service = new Service();
    service.addBusy('a', upTo(5));
    service.serve(1_000);
    service.addBusy('b', upTo(5));
    service.got.clear();
    service.serve(100);
    expect(service.difference(['a', 'b'])).toBeLessThan(20);
  });
});

describe('whoever is known for short work waits for few', () => {
  /** How many were served before each of its pieces. */
  function waitsOf(service: Service, attack: (round: number) => void): number[] {
    return times(20, (round) => {
      attack(round);
      const before = service.served.length;
      service.add('quiet', () => 1);
      service.serve(50);
      return service.served.indexOf('quiet', before) - before;
    });
  }

  test('of those that all come at once, and are known for long work', () => {
    const service = new Service();
    const comeAtOnce = () => {
      for (const owner of times(100, String)) service.add(owner, () => 60);
    };
    comeAtOnce();
    service.add('quiet', () => 1);
    service.serve(101);
    expect(Math.max(...waitsOf(service, comeAtOnce))).toBeLessThanOrEqual(1);
  });

  test('of those that do short work, too', () => {
    const service = new Service();
    const owners = times(100, String);
    for (const owner of owners) service.add(owner, () => 60);
    service.add('quiet', () => 1);
    service.serve(101);
    const waits = waitsOf(service, (round) => {
      for (const owner of owners) service.add(owner, () => (round % 2 === 0 ? 1 : 60));
    });
    expect(Math.max(...waits)).toBeLessThanOrEqual(2);
  });

  test('of those that have never come before', () => {
    const service = new Service();
    service.add('quiet', () => 1);
    service.serve(1);
    const waits = waitsOf(service, (round) => {
      for (const owner of times(100, (index) => `${round} ${index}`)) service.add(owner, () => 30);
    });
    expect([Math.min(...waits), Math.max(...waits)]).toEqual([0, 1]);
  });

  test('but whoever is known for long work has its turn among many that are short', () => {
    const service = new Service();
    service.add('long', () => 100);
    service.serve(1);
    for (const owner of times(20, String)) service.addBusy(owner, () => 1);
    service.serve(100);
    const before = service.served.length;
    service.add('long', () => 100);
    service.serve(2_000);
    const place = service.served.indexOf('long', before) - before;
    expect([place > 100, place < 600]).toEqual([true, true]);
  });
});

test('whoever has used much gets its turn, however many come that have used nothing', () => {
  const service = new Service();
  service.addBusy('b', () => 1);
  service.add('a', () => 100);
  service.serve(10);
  service.add('a', () => 1);
  const before = service.served.length;
  for (const owner of times(1_000, (index) => `new ${index}`)) {
    service.add(owner, () => 1);
    service.serve(1);
  }
  expect(service.served.indexOf('a', before) - before).toBeLessThanOrEqual(500);
});
