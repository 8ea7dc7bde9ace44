import { describe, expect, test, vi } from 'vitest';
import { Backoff } from '../../src/cluster/backoff.ts';
import { Collector } from '../../src/cluster/collector.ts';
import { exposition } from '../../src/telemetry/metrics/family.ts';
import { Counter } from '../../src/telemetry/metrics/metrics.ts';

function families(amount: number) {
  const counter = new Counter({ name: 'a_total', help: 'An a.' });
  counter.add(amount);
  return [counter.collect()];
}

describe('the metrics of all workers', () => {
  test('are added up', async () => {
    const collector = new Collector();
    const workers = [1, 2, 3].map((amount) => ({ ask: (id: number) => collector.add(id, families(amount)) }));
    const text = exposition(await collector.collect(workers));
    expect(text).toContain('\na_total 6\n');
    expect(text).toContain(
      '\nreceivables_workers{state="running"} 3\nreceivables_workers{state="answered"} 3\n',
    );
  });

  test('do not wait for one that is stuck, and say that it is missing', async () => {
    vi.useFakeTimers();
    try {
      const collector = new Collector();
      let late = 0;
      const collected = collector.collect([
        { ask: (id) => collector.add(id, families(1)) },
        {
          ask(id) {
            late = id;
          },
        },
      ]);
      await vi.advanceTimersByTimeAsync(5_000);
      const text = exposition(await collected);
      expect(text).toContain('\na_total 1\n');
      expect(text).toContain(
        '\nreceivables_workers{state="running"} 2\nreceivables_workers{state="answered"} 1\n',
      );
      collector.add(late, families(1));
    } finally {
      vi.useRealTimers();
    }
  });

  test('of two scrapes at once are not mixed', async () => {
    const collector = new Collector();
    const ids: number[] = [];
    const worker = { ask: (id: number) => void ids.push(id) };
    const both = [collector.collect([worker]), collector.collect([worker])];
    const [first = 0, second = 0] = ids;
    collector.add(second, families(20));
    collector.add(first, families(10));
    const texts = (await Promise.all(both)).map(exposition);
    expect(texts.map((text) => /\na_total (\d+)/.exec(text)?.[1])).toEqual(['10', '20']);
  });
});

describe('a worker that ends is replaced', () => {
  test('later each time, and at most after ten seconds', () => {
    const backoff = new Backoff();
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => backoff.delayAfter(0))).toEqual([
      100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000,
    ]);
  });

  test('soon again if it had served for a while', () => {
    const backoff = new Backoff();
    for (let count = 0; count < 5; count += 1) backoff.delayAfter(0);
    expect(backoff.delayAfter(60_000)).toBe(100);
  });
});
