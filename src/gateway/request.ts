import type { IncomingHttpHeaders } from 'node:http';
import type { CompressedBodies } from './compressed-bodies.ts';

/** The parameters of GraphQL over HTTP. Which document they name is for the gateway to find out. */
export interface OperationParams {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly variables?: { readonly [name: string]: unknown } | undefined;
  readonly operationName?: string | undefined;
  readonly extensions?: { readonly [name: string]: unknown } | undefined;
}

export interface GatewayRequest {
  readonly params: OperationParams;
  /** How long the parameters were as they arrived. */
  readonly bytes: number;
  /** Whether it may only read, as a GET may. */
  readonly isReadOnly: boolean;
  readonly headers: IncomingHttpHeaders;
  /** Goes out with the response and with each error. */
  readonly requestId: string;
  /** Whom shares of what is limited are counted for. */
  readonly owner: string;
}

export interface GatewayResponse {
  readonly status: number;
  /** Whether the document is at fault: clients of `application/json` expect a 200 then. */
  readonly isInvalidDocument: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it is not for HTTP to choose. */
  readonly contentType?: string;
  /** JSON as Latin-1 text, one character a byte, in pieces that are written one after another. */
  readonly body: readonly string[];
  /** For a cached response: its compressed bodies, and under which name to look for this one. */
  readonly compressed?: { readonly bodies: CompressedBodies; readonly name: string } | undefined;
}
