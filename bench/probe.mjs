// @ts-check
// Loaded into each server by `--import`: tells what it took between `begin` and `end`.
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
  }
});
// It must not keep a server alive.
process.channel?.unref();
