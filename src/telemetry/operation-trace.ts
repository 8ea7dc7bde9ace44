import type { IncomingHttpHeaders } from 'node:http';
import type { CallSpan, CallTracer } from '../rest/call-tracer.ts';
import { type TraceParent, traceParentOf } from './trace-context.ts';

/** How an operation ended, for its span. */
export interface OperationOutcome {
  readonly observed: {
    readonly type: string | undefined;
    readonly name: string | undefined;
    readonly codes: readonly string[];
  };
  readonly status: number | undefined;
}

/** The part of a trace that an operation belongs to. */
export interface OperationTrace extends CallTracer {
  readonly traceId: string;
  end(outcome: OperationOutcome): void;
}

/** Creates the trace of an operation from the headers of its request. */
export type Tracer = (headers: IncomingHttpHeaders) => OperationTrace | undefined;

/** Without an exporter of its own, the gateway passes on the trace of the caller as it came, and adds no span. */
export const forwardingTracer: Tracer = (headers) => {
  if (headers.traceparent === undefined) return undefined;
  const parent = traceParentOf(headers);
  return parent && new ForwardedTrace(parent);
};

class ForwardedTrace implements OperationTrace {
  readonly traceId: string;
  readonly #span: CallSpan;

  constructor({ traceId, traceparent, tracestate }: TraceParent) {
    this.traceId = traceId;
    this.#span = { headers: tracestate ? { traceparent, tracestate } : { traceparent }, end() {} };
  }

  start(): CallSpan {
    return this.#span;
  }

  end(): void {}
}
