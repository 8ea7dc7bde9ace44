import type { CallFault } from './call-fault.ts';

/** Outcome of one REST call, or of one attempt; contains no secrets. */
export interface CallRecord {
  readonly call: CallDescription;
  readonly source: 'network' | 'cache' | 'coalesced';
  status: number | null;
  milliseconds: number | null;
  bytes: number | null;
  rows: number | null;
}

/** The part of a call that may be shown to the caller. */
export interface CallDescription {
  readonly method: string;
  readonly path: string;
  readonly parameters: { readonly [name: string]: unknown };
}

export function elapsed(start: number): number {
  return Math.round((performance.now() - start) * 100) / 100;
}

/** Follows the REST calls of one operation through a trace. */
export interface CallTracer {
  start(call: { readonly method: string; readonly endpoint: string }): CallSpan;
}

/** One attempt of a call, as the trace sees it. */
export interface CallSpan {
  /** Sent with the call, so that the service's spans join the trace. */
  readonly headers: Readonly<Record<string, string>>;
  /** The status of the response if there was one, and why the attempt failed if it did. */
  end(status: number | null, fault: CallFault | undefined): void;
}
