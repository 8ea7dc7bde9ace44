import { createHash } from 'node:crypto';
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { copyOf } from '../composite-key.ts';
import { weakMemoize } from '../memoize.ts';
import type { CallRecord, CallTracer } from '../rest/call.ts';
import type { Level } from './log.ts';

const MAX_CODES = 10;

/** How the calls of an operation were answered, and the rows and bytes that the service sent. */
export class CallCounts {
  sent = 0;
  cacheHits = 0;
  coalesced = 0;
  rows = 0;
  bytes = 0;

  add(calls: readonly CallRecord[]): this {
    for (const { source, rows, bytes } of calls) {
      if (source === 'cache') this.cacheHits += 1;
      else if (source === 'coalesced') this.coalesced += 1;
      else {
        this.sent += 1;
        this.rows += rows ?? 0;
        this.bytes += bytes ?? 0;
      }
    }
    return this;
  }
}

export interface StreamObservation {
  readonly format: string;
  /** Results with data that were written. */
  events: number;
  /** `client` unless something else has ended it: `complete`, or the code of the error that did. */
  endedBy: string;
}

/** The part of a trace that an operation belongs to. */
export interface OperationTrace extends CallTracer {
  readonly traceId: string;
  end(observed: Pick<Observation, 'type' | 'name' | 'codes'>, status: number | undefined): void;
}

/** What is known of one operation, for log, metrics, span and `Server-Timing`; nothing a caller has sent but its name. */
export class Observation {
  readonly startedAt = performance.now();
  readonly requestId: string;
  readonly trace: OperationTrace | undefined;
  /** Error codes of the response, each once. */
  readonly codes: string[] = [];
  /** How long the operation waited for the REST service. */
  restMilliseconds = 0;
  /** Length of the response body before compression. */
  bytes = 0;
  /** Whether the request was for an operation, not for a page. */
  isOperation = false;
  /** Whether it is one operation of an array, which is one request for all of them. */
  isEntry = false;
  /** Whether it was rejected to protect the rest; such requests are logged together. */
  isShed = false;
  type: string | undefined;
  name: string | undefined;
  documentHash: string | undefined;
  /** If the response is an export: its format, and the rows that were written. */
  exported: { readonly format: string; readonly rows: number } | undefined;
  stream: StreamObservation | undefined;
  readonly counts = new CallCounts();

  constructor(requestId: string, trace: OperationTrace | undefined) {
    this.requestId = requestId;
    this.trace = trace;
  }

  /** A document that is valid, and the operation of it that is asked for. */
  setDocument(document: DocumentNode, operationName: string | undefined): void {
    const operation = getOperationAST(document, operationName);
    if (operation) ({ type: this.type, name: this.name, hash: this.documentHash } = summaryOf(operation));
  }

  /** Of an operation; of an export page by page, and of a stream batch by batch: none of them is kept. */
  addCalls(calls: readonly CallRecord[], restMilliseconds: number): void {
    this.counts.add(calls);
    this.restMilliseconds += restMilliseconds;
  }

  addCode(code: string): void {
    if (this.codes.length < MAX_CODES && !this.codes.includes(code)) this.codes.push(code);
  }

  /** The client did not get the response: what errors it had is not the point any more. */
  cut(code: string): void {
    // Whoever has seen enough of a stream leaves it: that is how most of them end.
    if (this.stream && code === 'CLIENT_CLOSED_REQUEST') return;
    this.codes.length = 0;
    this.codes.push(code);
    if (this.stream) this.stream.endedBy = code;
  }

  /** The code of its first error, or `OK`; a stream that has told of an error goes on, unless it ends with one. */
  get outcome(): string {
    const { stream, codes } = this;
    if (stream) return ['client', 'complete'].includes(stream.endedBy) ? 'OK' : stream.endedBy;
    return codes[0] ?? 'OK';
  }
}

/**
 * What is told of an operation long after its document is gone: a client may take minutes to read its response. GraphQL's
 * grammar leaves letters, digits and `_` in a name.
 */
const summaryOf = weakMemoize(({ operation: type, name, loc }: OperationDefinitionNode) => ({
  type,
  name: name && copyOf(name.value.slice(0, 60)),
  hash: createHash('sha256')
    .update(loc?.source.body ?? '')
    .digest('hex')
    .slice(0, 16),
}));

/** Errors of what lies behind the gateway, or of its operator. All others but its own are the caller's. */
const WARNINGS = /^(?:UPSTREAM_\w+|REFRESH_OUTCOME_UNKNOWN|CUT_AT_SHUTDOWN|NOT_CONFIGURED)$/;

export function levelOf(codes: readonly string[]): Level {
  if (codes.includes('INTERNAL_SERVER_ERROR')) return 'error';
  return codes.some((code) => WARNINGS.test(code)) ? 'warn' : 'info';
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
    durationMs: rounded(milliseconds),
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

/** The header `Server-Timing`, which browsers show beside the network timings of a request. */
export function serverTiming(observed: Observation): string {
  const { sent, cacheHits, coalesced } = observed.counts;
  const total = `total;dur=${rounded(performance.now() - observed.startedAt)}`;
  if (sent + cacheHits + coalesced === 0) return total;
  const rest = `rest;dur=${rounded(observed.restMilliseconds)};desc="${sent} call${sent === 1 ? '' : 's'}"`;
  const hit = cacheHits === 0 ? 'miss' : sent + coalesced === 0 ? 'hit' : 'partial';
  return `${rest}, cache;desc=${hit}, ${total}`;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
