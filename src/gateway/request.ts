import type { IncomingHttpHeaders } from 'node:http';
import type { Observation } from '../telemetry/observation.ts';
import type { CompressedBodies } from './compressed-bodies.ts';

/** The parameters of GraphQL over HTTP. The gateway validates `query` and `documentId`. */
export interface OperationParams {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly variables?: { readonly [name: string]: unknown } | undefined;
  readonly operationName?: string | undefined;
  readonly extensions?: { readonly [name: string]: unknown } | undefined;
}

export interface GatewayRequest {
  readonly params: OperationParams;
  /** The memory that the parameters take. */
  readonly bytes: number;
  /** True for a GET: mutations are rejected. */
  readonly isReadOnly: boolean;
  readonly headers: IncomingHttpHeaders;
  /** Sent with the response and with each error. */
  readonly requestId: string;
  /** The key that shared limits count the request under. */
  readonly owner: string;
  /** Where the gateway tells what it learns of the operation; absent if nobody asks. */
  readonly observed?: Observation;
}

export interface GatewayResponse {
  readonly status: number;
  /** Whether the document is invalid, for which clients of `application/json` expect status 200. */
  readonly isInvalidDocument: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set if the content type is not negotiated by the HTTP server. */
  readonly contentType?: string;
  /** JSON, one character for each byte of its UTF-8, in chunks that are written in order. */
  readonly body: readonly string[];
  /** For a cached response: its compressed bodies, and the key of this one. */
  readonly compressed?: { readonly bodies: CompressedBodies; readonly name: string } | undefined;
}
