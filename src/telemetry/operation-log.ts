import type { Level } from './log.ts';
import type { Observation } from './observation.ts';

/** Errors of the gateway itself, and of what lies behind it. All others are the caller's. */
const LEVELS = new Map<string, Level>([
  ['INTERNAL_SERVER_ERROR', 'error'],
  ['UPSTREAM_UNAVAILABLE', 'warn'],
  ['UPSTREAM_TIMEOUT', 'warn'],
  ['UPSTREAM_INVALID_RESPONSE', 'warn'],
  ['REFRESH_OUTCOME_UNKNOWN', 'warn'],
  ['CUT_AT_SHUTDOWN', 'warn'],
  ['NOT_CONFIGURED', 'warn'],
]);

export function levelOf(codes: readonly string[]): Level {
  let level: Level = 'info';
  for (const code of codes) {
    const found = LEVELS.get(code);
    if (found === 'error') return found;
    level = found ?? level;
  }
  return level;
}

/** Members that are undefined are left out of the line. */
export function operationDetails(observed: Observation, status: number | undefined, milliseconds: number) {
  const { sent, cacheHits, coalesced, rows } = observed.counts;
  return {
    requestId: observed.requestId,
    traceId: observed.trace?.traceId,
    type: observed.type,
    name: observed.name,
    document: observed.documentHash,
    status,
    codes: observed.codes,
    durationMs: Math.round(milliseconds * 10) / 10,
    restCalls: sent,
    cacheHits,
    coalesced,
    rows,
    bytes: observed.bytes,
    format: observed.exported?.format,
    exportedRows: observed.exported?.rows,
    stream: observed.stream?.format,
    events: observed.stream?.events,
    endedBy: observed.stream?.endedBy,
  };
}
