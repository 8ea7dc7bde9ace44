/** Follows the REST calls of one operation through a trace. */
export interface CallTracer {
  start(call: { readonly method: string; readonly endpoint: string }): CallSpan;
}

/** One attempt of a call, as the trace sees it. */
export interface CallSpan {
  /** Sent with the call, so that the service's spans join the trace. */
  readonly headers: Readonly<Record<string, string>>;
  /** The status of the response, or the code of the error if there was none. */
  end(status: number | null, error: string | undefined): void;
}
