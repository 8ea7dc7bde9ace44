// @ts-check
import { measure } from './measure.mjs';

/** @typedef {import('./measure.mjs').Pressure} Pressure */

const WINDOW_SECONDS = 1;
/** On a busy machine a second may hold too few for V8 to optimize what they run. */
const MIN_REQUESTS = 300;
const MAX_WINDOWS = 15;
/** A window that is not this much cheaper than the cheapest so far brings nothing new. */
const GAIN = 0.95;
const WINDOWS_WITHOUT_GAIN = 3;

/**
 * Loads a server until its requests no longer get cheaper. A fixed time does not do: in one
 * run Mercurius took 1.2, 0.3 and 0.13 ms in windows of two seconds, and was fast only from the third on.
 * @param {import('./servers.mjs').RunningServer} server
 * @param {import('./workloads/index.mjs').Workload} workload
 * @param {Pressure} pressure
 * @param {unknown} expected
 */
export async function warmUp(server, workload, pressure, expected) {
  let cheapest = Number.POSITIVE_INFINITY;
  let withoutGain = 0;
  // Every document once, or what follows would measure how the caches fill.
  let atLeast = Math.max(MIN_REQUESTS, pressure.documents ?? 1);
  for (let window = 0; window < MAX_WINDOWS && withoutGain < WINDOWS_WITHOUT_GAIN; window += 1) {
    const short = { ...pressure, seconds: WINDOW_SECONDS, atLeast };
    const { cpuMs } = await measure(server, workload, short, expected);
    withoutGain = cpuMs < cheapest * GAIN ? 0 : withoutGain + 1;
    cheapest = Math.min(cheapest, cpuMs);
    atLeast = MIN_REQUESTS;
  }
}
