import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { OpenChanges } from '../changes/change.ts';
import type { ExportPlan } from '../export/export-plan.ts';
import type { ExportRequest } from '../export/export-request.ts';
import { readAccept, type StreamType } from '../http/negotiation.ts';
import type { TextOrder } from '../lists/text.ts';
import type { RestSession } from '../rest/session.ts';
import type { Context } from '../schema/fields/builder.ts';
import type { OperationLoaders } from '../schema/fields/loaders.ts';
import type { Log } from '../telemetry/log.ts';
import type { Observation } from '../telemetry/observation.ts';
import type { RunningOperation } from './running-operation.ts';

/** Who sent a request to the gateway's own server, and gets its response; another server hands over what it likes. */
export interface Client {
  readonly res: ServerResponse;
  readonly observed: Observation;
  /** The code for why it does not get the response, or not all of it, once that is so. */
  cutBy?: string | undefined;
  /** Called once the response has been sent, or the client has disconnected. */
  readonly onLeft: (() => void)[];
}

/** The parameters of an operation. `documentId` names a document in place of `query`. */
export interface OperationParams extends GraphQLParams {
  documentId?: string;
}

/** The operations of one request, which Yoga runs at the same time, each with a context that inherits from the request's. */
interface OperationArray {
  readonly entries: readonly unknown[];
  /** Of those that have begun, in their order. */
  readonly contexts: GatewayContext[];
}

/** What is known of a request when it comes. */
type Received = Partial<GatewayContext> & Pick<GatewayContext, 'client' | 'observed' | 'headers' | 'log'>;

/**
 * The context of Yoga and of resolvers. All of its members are there from the start: V8 would move an object that gets
 * thirty members one by one again and again.
 */
export class GatewayContext implements Context {
  // Of the request: from the server, or else by `useRequest`.

  /** Node's request; another server may give its own kind. */
  readonly req: IncomingMessage | undefined;
  /** Node's response, where Yoga itself sends it. */
  readonly res: ServerResponse | undefined;
  /** Known to the gateway's own server alone. */
  readonly client: Client | undefined;
  /** The address of the client, behind the proxies that are trusted. */
  readonly address: string | undefined;
  readonly headers!: IncomingHttpHeaders;
  observed!: Observation;
  /** As it was sent, not normalised. */
  path = '';
  readonly log!: Log;

  // By Yoga.

  request: Request | undefined;
  params: OperationParams | undefined;
  waitUntil!: (promise: Promise<void> | void) => void;

  // Of the operation: by `useOperation`.

  /** What it has taken until it ends; missing where it is refused early. */
  running!: RunningOperation;
  rest!: RestSession;
  loaders!: OperationLoaders;
  maxFirst!: number;
  textOrder!: TextOrder;
  /** The type of JSON that its client prefers; undefined if it takes none. */
  mediaType: string | undefined;
  /** How it takes a stream of results, if at all. Set when its parameters have been read: refusals before are JSON. */
  streamType: StreamType | undefined;
  /** If the answer is to be a file of rows rather than JSON. */
  exported: ExportRequest | undefined;
  array: OperationArray | undefined;

  // Of the execution: by `useExecution`.

  changes!: OpenChanges;
  /** Set once it is executed, with the most REST calls that it makes, if somebody asked. */
  executed: { readonly estimatedCalls: number | undefined } | undefined;
  /** How an export is read, once its document is known to be fit for one. */
  exportPlan: ExportPlan | undefined;
  /** The cursor behind the result that was taken last, and one further on if it is known that nothing came since. */
  stream: { readonly cursor: string | undefined; readonly position: string | undefined } | undefined;
  /** A body that is made while it is sent, and ends the operation. */
  streamed: ReadableStream | undefined;

  constructor(received: Received) {
    Object.assign(this, received);
    this.mediaType = readAccept(received.headers.accept).json;
  }
}

export type GatewayPlugin = Plugin<GatewayContext, GatewayContext>;
export type RequestPayload = Parameters<NonNullable<GatewayPlugin['onRequest']>>[0];
