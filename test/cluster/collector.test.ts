import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBackoff } from '../../src/server/workers/child-process.ts';
import { Collector } from '../../src/server/workers/collector.ts';
import { counter, exposition, gauge } from '../../src/telemetry/metrics/metrics.ts';

function families(amount: number) {
  const counted = counter('a_total', 'An a.');
  counted.add(amount);
  return [counted.collect()];
}

/** A worker that tells its count as soon as it is asked, unless it is stuck. */
function createWorker(amount: number) {
  const worker = {
    amount,
    isStuck: false,
    metrics: async () => (worker.isStuck ? new Promise<undefined>(() => {}) : families(worker.amount)),
  };
  return worker;
}

const totalIn = (text: string) => Number(/\na_total (\d+)/.exec(text)?.[1]);

describe('the metrics of all workers', () => {
  test('are added up', async () => {
    const collector = new Collector();
    const text = exposition(await collector.collect([1, 2, 3].map(createWorker)));
    expect(totalIn(text)).toBe(6);
    expect(text).toContain(
      '\nreceivables_workers{state="running"} 3\nreceivables_workers{state="answered"} 3\n',
    );
  });

  test('do not wait for one that is stuck: what it told last stands for it', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const collector = new Collector();
    const [sound, stuck] = [createWorker(1), createWorker(10)];
    await collector.collect([sound, stuck]);
    sound.amount = 2;
    stuck.isStuck = true;
    const collected = collector.collect([sound, stuck]);
    await vi.advanceTimersByTimeAsync(5_000);
    const text = exposition(await collected);
    expect(totalIn(text)).toBe(12);
    expect(text).toContain(
      '\nreceivables_workers{state="running"} 2\nreceivables_workers{state="answered"} 1\n',
    );
  });

  test('never go down as workers end and are replaced', async () => {
    const collector = new Collector();
    const [first, second] = [createWorker(5), createWorker(7)];
    const totals = [totalIn(exposition(await collector.collect([first, second])))];
    collector.retire(first);
    totals.push(totalIn(exposition(await collector.collect([second]))));
    const successor = createWorker(1);
    totals.push(totalIn(exposition(await collector.collect([second, successor]))));
    // The last word of one that stops.
    collector.add(second, families(9));
    collector.retire(second);
    totals.push(totalIn(exposition(await collector.collect([successor]))));
    expect(totals).toEqual([12, 12, 13, 15]);
  });

  test('leave out what an ended worker held', async () => {
    const collector = new Collector();
    const held = gauge('held', 'Held.', () => 3).collect();
    const worker = { metrics: async () => [held] };
    expect(exposition(await collector.collect([worker]))).toContain('\nheld 3\n');
    collector.retire(worker);
    expect(exposition(await collector.collect([]))).not.toContain('held');
  });

  test('do not wait for one that ends meanwhile', async () => {
    const collector = new Collector();
    const ending = { metrics: async () => undefined };
    expect(exposition(await collector.collect([ending]))).toContain('state="running"');
  });
});

describe('a worker that ends is replaced', () => {
  test('later each time, and at most after ten seconds', () => {
    const delayAfter = createBackoff();
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => delayAfter(0))).toEqual([
      100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000,
    ]);
  });

  test('soon again if it had served for a while', () => {
    const delayAfter = createBackoff();
    for (let count = 0; count < 5; count += 1) delayAfter(0);
    expect(delayAfter(60_000)).toBe(100);
  });
});
