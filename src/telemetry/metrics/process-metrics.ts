import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { version } from '../../package.ts';
import { gauge, histogram, type Metric } from './metrics.ts';

const TICK_MS = 20;
const GC_KINDS: Record<number, string> = { 1: 'minor', 4: 'major', 8: 'incremental', 16: 'weakcb' };

/** Creates metrics of the process, under the names that Prometheus' client for Node has made common. */
export function createProcessMetrics(): Metric[] {
  const delays = histogram(
    'nodejs_eventloop_delay_seconds',
    'How late a timer of 20 ms fires because the event loop is busy.',
    [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  );
  const durations = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5];
  const collections = histogram('nodejs_gc_duration_seconds', 'Garbage collections.', durations, ['kind']);
  let expected = performance.now() + TICK_MS;
  setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - expected) / 1000);
    expected = now + TICK_MS;
  }, TICK_MS).unref();
  const observer = new PerformanceObserver((list) => {
    // Node's types leave out `detail`.
    const entries: readonly (PerformanceEntry & { detail?: { kind?: number } })[] = list.getEntries();
    for (const { duration, detail } of entries)
      collections.observe(duration / 1000, GC_KINDS[detail?.kind ?? 0] ?? 'other');
  });
  observer.observe({ entryTypes: ['gc'] });
  const cpuSeconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const heapLimit = 'Where Node stops the process: --max-old-space-size plus the space for new objects.';
  const versions = () => ({ [`${version}\n${process.version}`]: 1 });
  const build = ['version', 'node_version'];
  return [
    delays,
    collections,
    gauge('process_cpu_seconds_total', 'CPU time, user and system.', cpuSeconds),
    gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'Start time in UNIX seconds.', () => performance.timeOrigin / 1000),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Heap allocated.', () => process.memoryUsage().heapTotal),
    gauge('nodejs_heap_size_limit_bytes', heapLimit, () => getHeapStatistics().heap_size_limit),
    gauge('receivables_build_info', 'Always 1; the labels are the versions.', versions, build),
  ];
}
