import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { PlannedOperation } from '../execution/operation.ts';
import type { PublicError } from '../execution/public-errors.ts';
import type { ExportPlan } from '../export/export-plan.ts';
import type { ExportRequest } from '../export/export-request.ts';
import type { CompressedBodies } from '../http/compression.ts';
import type { RequestError } from '../http/errors.ts';
import type { Bytes } from '../http/response-body.ts';
import type { Holding } from '../limits/shared-budget.ts';
import type { Leaver } from '../limits/start-queue.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import type { Credentials } from '../rest/session.ts';
import type { Context } from '../schema/fields/builder.ts';
import type { Observation } from '../telemetry/observation.ts';
import type { AcceptedTypes } from './http-checks.ts';

/** Who sent a request, as the guard knows it. */
export interface Client extends Leaver {
  readonly address: string;
  /** The owner that its connection counts for, whatever credentials it sends. */
  readonly owner: string;
  readonly isGone: boolean;
  /** Whether an operation of it is in flight, so that its connection is not closed to make room. */
  isRunning: boolean;
  /** Whether it was disconnected because the gateway is being stopped. */
  readonly isCut: boolean;
  /** Called once if it disconnects while its operation is in flight. */
  onAbort: (() => void) | undefined;
}

/** The body of a request, which has arrived and waits for its turn. */
export interface ReceivedText {
  /** Whether it is the JSON of an array, going by its first character. */
  readonly isArray: boolean;
  /** Throws if the body was refused, or had to make room for others. */
  check(): void;
  /** Gives the text once, and counts it no longer; throws as `check` does. */
  take(): string;
  drop(): void;
}

/** What the guard hands over with a request, as its server context. Another server hands over what it likes. */
export class GuardedRequest {
  readonly req: IncomingMessage;
  readonly client: Client;
  readonly requestId: string;
  readonly observed: Observation;
  text: ReceivedText | undefined;
  /** Of Yoga. */
  readonly waitUntil?: (promise: Promise<void> | void) => void;

  constructor(req: IncomingMessage, client: Client, requestId: string, observed: Observation) {
    this.req = req;
    this.client = client;
    this.requestId = requestId;
    this.observed = observed;
    this.text = undefined;
  }
}

/** The parameters of an operation. `documentId` names a document in place of `query`. */
export interface OperationParams extends GraphQLParams {
  documentId?: string;
}

/** One operation of an array, which is one request for all of them. */
export interface ArrayEntry {
  readonly params: OperationParams;
  /** Why it is no operation, if it is none. */
  readonly refusal?: RequestError | undefined;
  /** The memory that its parameters take. */
  readonly bytes: number;
  /** Its own, once it has begun. */
  context?: GatewayContext;
  /** What its response would have if it had come alone. */
  status?: number;
}

export interface StreamState {
  /** Behind the result that was taken last. */
  readonly cursor: string | undefined;
  /** The same, or further on if it is known that nothing came since. */
  readonly position: string | undefined;
}

/** The context of Yoga and of resolvers. A request fills it on its way, each plugin for those after it. */
export interface GatewayContext extends AcceptedTypes, Context {
  // Known from the start.

  /** Node's request; another server may give its own kind. */
  req?: IncomingMessage;
  /** Node's response, where Yoga itself sends it. */
  res?: ServerResponse;
  /** Known to the guard alone. */
  client: Client | undefined;
  text: ReceivedText | undefined;
  requestId: string;
  observed: Observation;
  headers: IncomingHttpHeaders;
  /** Called in reverse when the request has been answered, or its stream has ended, whatever happened. */
  endings: (() => void)[];

  // What is asked for.

  /** Whether its parameters could be read. */
  hasParams?: boolean;
  /** Of an array, and of each of its operations, whose contexts inherit from that of the request. */
  array?: readonly ArrayEntry[] | undefined;
  /** If the answer is to be a file of rows rather than JSON. */
  exported?: ExportRequest | undefined;
  /** The event that a client saw last before it came back, by the header of that name. */
  lastEventId?: string | undefined;

  // Once it has a place and a session.

  credentials: Credentials;
  /** The key that shared limits count the request under: the hash of its credential, or its address. */
  owner: string;
  /** Makes room for another operation: what has become a stream is counted with the streams. */
  releasePlace?: (() => void) | undefined;
  /** Aborted when the client leaves, or the operation takes too long. */
  cancellation: Cancellation;
  /** Its part of the memory budget that all operations share. */
  holding: Holding;

  // Once it has been executed, or has been found in the response cache.

  executed?: Executed;
  /** Called with the JSON of data that the execution led to without errors. */
  keepJson?: ((json: string, executed: Executed) => void) | undefined;
  /** What is sent of the errors of its result. */
  publicErrors?: readonly PublicError[] | undefined;
  /** How an export is read, once its document is known to be fit for one. */
  exportPlan?: ExportPlan | undefined;
  stream?: StreamState | undefined;
  /** The response that is made while it is sent, if it is one, and what settles when it has come to its end. */
  streamed?: Response | undefined;
  streaming?: Promise<void> | undefined;
}

/** Maps the result of an operation, or each of those of an array with the context of its operation. */
export function mapResults<Mapped>(
  result: ExecutionResult | readonly ExecutionResult[],
  context: GatewayContext,
  map: (result: ExecutionResult, context: GatewayContext) => Mapped,
): Mapped | Mapped[] {
  if (!('length' in result)) return map(result, context);
  return result.map((one, index) => map(one, context.array?.[index]?.context ?? context));
}

/** How many REST calls an operation needs where nothing is cached, as far as that is known before it runs. */
export interface CallBounds {
  readonly estimatedCalls: number;
  readonly leastCalls: number;
}

interface Executed {
  readonly bounds: CallBounds;
  /** The data that the execution led to, which has the shape of the plan. A plugin may put other data in its place. */
  readonly data?: unknown;
  readonly planned?: PlannedOperation;
  /** Of a cached response: its data as JSON. */
  readonly json?: Bytes;
  readonly compressed?: CompressedBodies;
}

export type GatewayPlugin = Plugin<GatewayContext, GatewayContext>;
