import type { Observation } from '../telemetry/observation.ts';

/** The header `Server-Timing`, which browsers show beside the network timings of a request. */
export function serverTiming(observed: Observation): string {
  const { sent, cacheHits, coalesced } = observed.counts;
  const total = `total;dur=${milliseconds(performance.now() - observed.startedAt)}`;
  if (sent + cacheHits + coalesced === 0) return total;
  const rest = `rest;dur=${milliseconds(observed.restMilliseconds)};desc="${sent} call${sent === 1 ? '' : 's'}"`;
  const hit = cacheHits === 0 ? 'miss' : sent + coalesced === 0 ? 'hit' : 'partial';
  return `${rest}, cache;desc=${hit}, ${total}`;
}

function milliseconds(duration: number): number {
  return Math.round(duration * 10) / 10;
}
