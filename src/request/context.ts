import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { AnswerSize } from '../execution/answer-size.ts';
import type { ExportPlan } from '../export/export-plan.ts';
import type { ExportRequest } from '../export/export-request.ts';
import type { Holding } from '../limits/places.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import type { Credentials } from '../rest/session.ts';
import type { Context } from '../schema/fields/builder.ts';
import type { Log } from '../telemetry/log.ts';
import type { Observation } from '../telemetry/observation.ts';
import type { AcceptedTypes } from './http-checks.ts';

/** Who sent a request to the gateway's own server; another server hands over what it likes. */
export class Client {
  readonly address: string | undefined;
  isGone = false;
  /** The code for why the gateway has ended the connection before the response was sent, if it has. */
  cutBy: string | undefined;
  /** Called once the response has been sent, or the client has disconnected, if its operation is still in flight. */
  onLeave: (() => void) | undefined;

  constructor(address: string | undefined) {
    this.address = address;
  }
}

/** The server context of a request to the gateway's own server. */
export type ServedRequest = Required<Pick<GatewayContext, 'req' | 'client' | 'requestId' | 'observed'>> &
  Pick<GatewayContext, 'owner' | 'array'> & {
    /** Set by Yoga. */
    waitUntil?: (promise: Promise<void> | void) => void;
  };

/** The parameters of an operation. `documentId` names a document in place of `query`. */
export interface OperationParams extends GraphQLParams {
  documentId?: string;
}

/** One operation of an array, which is one request for all of them. */
export interface ArrayEntry {
  readonly params: OperationParams;
  /** Why it is no operation, if it is none. */
  readonly refusal?: unknown;
  /** Its own, which inherits from that of the request, once it has begun. */
  context?: GatewayContext;
  /** What its response would have if it had come alone. */
  status?: number;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** The context of Yoga and of resolvers. */
export interface GatewayContext extends Writable<Context> {
  // Of the request: from the server, or else by `useRequest` and `useResponse`.

  /** Node's request; another server may give its own kind. */
  req?: IncomingMessage;
  /** Node's response, where Yoga itself sends it. */
  res?: ServerResponse;
  /** Known to the gateway's own server alone. */
  client: Client | undefined;
  requestId: string;
  /** As it was sent, not normalised. */
  path: string;
  log: Log;
  observed: Observation;
  headers: IncomingHttpHeaders;
  /** Called in reverse when the request has been answered, or its stream has ended, whatever happened. */
  endings: (() => void)[];

  // Of the operation: by `useOperation`.

  credentials: Credentials;
  /** The key that shared limits count the request under: the hash of its credential, or its address. */
  owner: string;
  /** Aborted when the client leaves, or the operation takes too long. */
  cancellation: Cancellation;
  /** Makes room for another operation: what has become a stream is counted with the streams. */
  releasePlace: () => void;
  /** What it holds of the memory that all operations share. */
  holding: Holding;
  /** Counts its answer while it is written out. */
  size: AnswerSize;
  /** Set when its parameters have been read: what is refused before is told as JSON. */
  accepted?: AcceptedTypes | undefined;
  /** If the answer is to be a file of rows rather than JSON. */
  exported?: ExportRequest | undefined;
  array?: readonly ArrayEntry[] | undefined;

  // Of the execution: by `useExecution`.

  /** Set once it is executed, with the most REST calls that it makes, if somebody asked. */
  executed?: { readonly estimatedCalls: number | undefined } | undefined;
  /** Whether it is a mutation that has begun: it is never ended halfway, only the result of a field may be left out. */
  isWriting?: boolean;
  /** How an export is read, once its document is known to be fit for one. */
  exportPlan?: ExportPlan | undefined;
  /** The cursor behind the result that was taken last, and one further on if it is known that nothing came since. */
  stream?: { readonly cursor: string | undefined; readonly position: string | undefined } | undefined;
  /** A response that is made while it is sent. */
  streamed?: { readonly body: ReadableStream | null; readonly ended: Promise<void> } | undefined;
}

export type GatewayPlugin = Plugin<GatewayContext, GatewayContext>;
