import type { CallFault } from './call-fault.ts';

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
