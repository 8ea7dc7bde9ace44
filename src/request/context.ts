import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { AnswerSize } from '../execution/answer-size.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import type { PublicError } from '../execution/public-errors.ts';
import type { ExportPlan } from '../export/export-plan.ts';
import type { ExportRequest } from '../export/export-request.ts';
import type { RequestError } from '../http/errors.ts';
import type { Holding } from '../limits/byte-counter.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import type { Credentials } from '../rest/session.ts';
import type { Context } from '../schema/fields/builder.ts';
import type { Observation } from '../telemetry/observation.ts';
import type { AcceptedTypes } from './http-checks.ts';

/** Who sent a request to the gateway's own server; another server hands over what it likes. */
export class Client {
  readonly address: string | undefined;
  isGone = false;
  /** Why the gateway has ended the connection before the response was sent, if it has. */
  cutBy: 'shutdown' | 'slow reader' | 'fault' | undefined;
  /** Called once if it disconnects while its operation is in flight. */
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
  readonly refusal?: RequestError | undefined;
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
  /** Known to the gateway's own server alone. */
  client: Client | undefined;
  requestId: string;
  observed: Observation;
  headers: IncomingHttpHeaders;
  /** Called in reverse when the request has been answered, or its stream has ended, whatever happened. */
  endings: (() => void)[];

  // What is asked for.

  /** Of a POST, until its parameters have been read. */
  body?: Buffer | undefined;
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
  /** Counts its answer while it is written out. */
  size: AnswerSize;
  /** Whether it is a mutation that has begun: it is never ended halfway, only the result of a field may be left out. */
  isWriting?: boolean;

  // Once it has been executed.

  executed?: Executed;
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

interface Executed {
  /** The most REST calls that it makes, if somebody asked. */
  readonly estimatedCalls: number | undefined;
  /** The data that the execution led to, which has the shape of the plan. A plugin may put other data in its place. */
  readonly data?: unknown;
  readonly planned?: PlannedOperation;
}

export type GatewayPlugin = Plugin<GatewayContext, GatewayContext>;
