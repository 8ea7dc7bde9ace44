import type { IncomingMessage } from 'node:http';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Context, Reads } from '../schema/fields/context.ts';
import type { Exchange } from './exchange.ts';
import type { RunningOperation } from './operation.ts';

/** The parameters of an operation. `documentId` names a document in place of `query`. */
export interface OperationParams extends GraphQLParams {
  documentId?: string;
}

/** The context of a request to the gateway's own server. That of another server gets an `exchange` too. */
export class RequestContext {
  // Set for the operation; here from the start, since V8 would change the object otherwise.
  operation: RunningOperation | undefined;
  reads: Reads | undefined;
  /** Set by Yoga. */
  waitUntil?: (promise: Promise<void> | void) => void;

  constructor(
    readonly req: IncomingMessage | undefined,
    readonly exchange: Exchange,
  ) {}
}

/** The context of an operation. Those of an array inherit from that of their request. */
export interface OperationContext extends RequestContext, Context {
  operation: RunningOperation;
  reads: Reads;
  params: OperationParams;
  request: Request;
}

export type GatewayPlugin = Plugin<OperationContext, RequestContext>;
export type RequestPayload = Parameters<NonNullable<GatewayPlugin['onRequest']>>[0];
