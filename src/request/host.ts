import type { IncomingHttpHeaders } from 'node:http';
import type { Cancellation } from '../rest/cancellation.ts';
import type { Observation } from '../telemetry/observation.ts';

/** A request, as the gateway's own server or another one received it, and how that server reads it and responds. */
export interface Host {
  readonly headers: IncomingHttpHeaders;
  /** As sent, not normalised. */
  readonly path: string;
  /** The address of the client, as trusted proxies report it. */
  readonly address: string | undefined;
  readonly observation: Observation;
  /** Aborted when the client disconnects or the request times out. */
  readonly cancellation: Cancellation;
  /** Why the client did not get the whole response, if the server knows. */
  readonly abortCode: string | undefined;
  /** Passes each chunk of the body to `append`. */
  readBody(request: Request, append: (chunk: Uint8Array) => void): Promise<void>;
  /** Ends a response in the middle, so that its client notices. */
  failBody(error: unknown, controller: ReadableStreamDefaultController): void;
}
