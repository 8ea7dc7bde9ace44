import { hash } from 'node:crypto';
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { copyString } from '../composite-key.ts';
import { weakMemoize } from '../memoize.ts';
import type { CallRecord, CallTracer } from '../rest/call.ts';
import type { Level } from './log.ts';

/** The members of an operation's log line, which docs/operations.md explains. Undefined ones are left out. */
class LogEntry {
  requestId = '';
  traceId: string | undefined;
  type: string | undefined;
  name: string | undefined;
  document: string | undefined;
  estimate: true | undefined;
  status: number | undefined;
  codes: string[] = [];
  durationMs = 0;
  waitedMs: number | undefined;
  restCalls = 0;
  cacheHits = 0;
  coalesced = 0;
  rows = 0;
  bytes = 0;
  format: string | undefined;
  exportedRows: number | undefined;
  stream: string | undefined;
  events: number | undefined;
  endedBy: string | undefined;
}

export interface OperationTrace extends CallTracer {
  readonly traceId: string;
  end(logEntry: LogEntry): void;
}

/** Facts about one operation for log, metrics, trace and `Server-Timing`. Only the name comes from the client. */
export class Observation {
  readonly startedAt = performance.now();
  readonly logEntry = new LogEntry();
  readonly trace: OperationTrace | undefined;
  restMilliseconds = 0;
  /** Whether the request was for an operation, not for a page. */
  isOperation = false;
  /** Whether it was rejected because of overload; such requests are logged together. */
  isRejected = false;

  constructor(requestId: string, trace: OperationTrace | undefined) {
    this.trace = trace;
    this.logEntry.requestId = requestId;
    this.logEntry.traceId = trace?.traceId;
  }

  setDocument(document: DocumentNode, operationName: string | undefined): void {
    const operation = getOperationAST(document, operationName);
    if (operation) Object.assign(this.logEntry, summarize(operation));
  }

  /** Called for each page of an export and each batch of a stream, so that no calls are kept. */
  addCalls(calls: readonly CallRecord[], restMilliseconds: number): void {
    const { logEntry } = this;
    for (const { source, rows } of calls) {
      if (source === 'cache') logEntry.cacheHits += 1;
      else if (source === 'coalesced') logEntry.coalesced += 1;
      else {
        logEntry.restCalls += 1;
        logEntry.rows += rows ?? 0;
      }
    }
    this.restMilliseconds += restMilliseconds;
  }

  addCode(code: string): void {
    if (!this.logEntry.codes.includes(code)) this.logEntry.codes.push(code);
  }

  /** The client did not get the response, so its earlier errors no longer matter. */
  cut(code: string): void {
    const { logEntry } = this;
    // Most streams end because their client disconnects.
    if (logEntry.stream && code === 'CLIENT_CLOSED_REQUEST') return;
    logEntry.codes = [code];
    if (logEntry.stream) logEntry.endedBy = code;
  }
}

/** Copied, since a client may read its response long after the document is gone. Names are letters, digits and `_`. */
const summarize = weakMemoize(({ operation: type, name, loc }: OperationDefinitionNode) => ({
  type,
  name: name && copyString(name.value.slice(0, 60)),
  document: hash('sha256', loc?.source.body ?? '').slice(0, 16),
}));

/** Errors of the REST service, of Redis or of the configuration. Most others are the caller's. */
const WARNINGS = /^(?:UPSTREAM_\w+|REFRESH_OUTCOME_UNKNOWN|CUT_AT_SHUTDOWN|NOT_CONFIGURED)$/;

export function getLevel(codes: readonly string[]): Level {
  if (codes.includes('INTERNAL_SERVER_ERROR')) return 'error';
  return codes.some((code) => WARNINGS.test(code)) ? 'warn' : 'info';
}

/** Formats `Server-Timing`, which browsers show next to network timings. */
export function serverTiming(observation: Observation): string {
  const { restCalls, cacheHits, coalesced, waitedMs } = observation.logEntry;
  const queue = waitedMs === undefined ? '' : `queue;dur=${waitedMs}, `;
  const total = `${queue}total;dur=${roundToTenths(performance.now() - observation.startedAt)}`;
  if (restCalls + cacheHits + coalesced === 0) return total;
  const rest = `rest;dur=${roundToTenths(observation.restMilliseconds)};desc="${restCalls} call${restCalls === 1 ? '' : 's'}"`;
  const hit = cacheHits === 0 ? 'miss' : restCalls + coalesced === 0 ? 'hit' : 'partial';
  return `${rest}, cache;desc=${hit}, ${total}`;
}

export function roundToTenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
