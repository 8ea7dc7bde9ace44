import type { IncomingMessage } from 'node:http';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Context, DataSource } from '../schema/fields/context.ts';
import type { Exchange } from './exchange.ts';
import type { Host } from './host.ts';
import type { RunningOperation } from './operation.ts';

/** The parameters of an operation. `documentId` names a document in place of `query`. */
export interface OperationParams extends GraphQLParams {
  documentId?: string;
}

/** The server context of the gateway's own server. Contexts of other servers get the same members. */
export class RequestContext {
  // Declared here because adding members later is slow in V8.
  exchange!: Exchange;
  operation: RunningOperation | undefined;
  dataSource: DataSource | undefined;
  /** Set by Yoga. */
  waitUntil?: (promise: Promise<void> | void) => void;

  constructor(
    readonly req: IncomingMessage,
    readonly host: Host,
  ) {}
}

/** The context of an operation. In an array, each inherits from the context of the request. */
export interface OperationContext extends RequestContext, Context {
  operation: RunningOperation;
  dataSource: DataSource;
  params: OperationParams;
  request: Request;
}

export type GatewayPlugin = Plugin<OperationContext, RequestContext>;
export type RequestPayload = Parameters<NonNullable<GatewayPlugin['onRequest']>>[0];
