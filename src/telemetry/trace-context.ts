import type { IncomingHttpHeaders } from 'node:http';

/** Where a request belongs in a trace that its sender has started: W3C Trace Context. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** As received. */
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const MAX_LENGTH = 512;

/** Undefined if there is no `traceparent`, or one that is not valid: it must then be ignored, and `tracestate` with it. */
export function traceParentOf(headers: IncomingHttpHeaders): TraceParent | undefined {
  const { traceparent } = headers;
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, traceparent, tracestate: tracestateOf(headers) };
}

/** Dropped if it is longer than every participant must pass on, or holds more than printable ASCII. */
function tracestateOf({ tracestate }: IncomingHttpHeaders): string | undefined {
  if (typeof tracestate !== 'string') return undefined;
  return /^[\x20-\x7e]{1,512}$/.test(tracestate) ? tracestate : undefined;
}
