// @ts-check
// Loaded into a gateway by `--import`: tells on SIGUSR2 how many promises it has made, and how many turns its event loop.
import { performance } from 'node:perf_hooks';
import { promiseHooks } from 'node:v8';

let promises = 0;
promiseHooks.onInit(() => {
  promises += 1;
});

process.on('SIGUSR2', () => {
  const turns = performance.nodeTiming.uvMetricsInfo.loopCount;
  process.stdout.write(`counted ${JSON.stringify({ promises, turns })}\n`);
});
