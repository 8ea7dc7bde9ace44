// @ts-check
// `--import` loads this into each server. It reports the use between `begin` and `end`, and the heap after a
// collection.
import { GCProfiler } from 'node:v8';

let profiler = new GCProfiler();
let heapBefore = 0;
let cpuBefore = process.cpuUsage();

process.on('message', (message) => {
  if (message === 'begin') {
    profiler = new GCProfiler();
    profiler.start();
    heapBefore = process.memoryUsage().heapUsed;
    cpuBefore = process.cpuUsage();
    process.send?.({});
  } else if (message === 'end') {
    const { user, system } = process.cpuUsage(cpuBefore);
    let allocated = 0;
    let last = heapBefore;
    for (const { beforeGC, afterGC } of profiler.stop()?.statistics ?? []) {
      allocated += beforeGC.heapStatistics.usedHeapSize - last;
      last = afterGC.heapStatistics.usedHeapSize;
    }
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ cpuMs: (user + system) / 1000, allocated: allocated + heapUsed - last, rss });
  } else if (message === 'heap') {
    globalThis.gc?.();
    globalThis.gc?.();
    process.send?.(process.memoryUsage().heapUsed);
  }
});
// It must not keep a server alive, nor outlive the bench.
process.channel?.unref();
process.on('disconnect', () => process.exit());
