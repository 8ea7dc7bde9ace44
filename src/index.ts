/**
 * The gateway as a library, for use in your own Node server. It runs operations; the server reads requests, limits
 * concurrency and sends responses:
 *
 * ```ts
 * const gateway = createGateway({ ...readConfig(process.env), restUrl: new URL('https://rest.example') });
 *
 * async function handle(params: OperationParams, bytes: number, request: IncomingMessage, response: ServerResponse) {
 *   const { method, headers, socket } = request;
 *   const cancellation = new Cancellation();
 *   response.once('close', () => cancellation.abort('closed'));
 *   const isReadOnly = method === 'GET';
 *   const owner = gateway.ownerOf(headers, socket.remoteAddress ?? '');
 *   const requestId = randomUUID();
 *   const result = await gateway.run({ params, bytes, isReadOnly, headers, owner, requestId }, cancellation);
 *   response.writeHead(result.status, { 'Content-Type': 'application/json; charset=utf-8', ...result.headers });
 *   for (const chunk of result.body) response.write(chunk, 'latin1');
 *   response.end();
 * }
 * ```
 *
 * Set NODE_ENV=production: graphql-js reads it when it is loaded, to skip checks that only help during development.
 */
import type { GraphQLSchema } from 'graphql';
import { type Config, readConfig as readConfigFor } from './config/index.ts';
import { schema as builtSchema } from './schema/index.ts';
import { resourcesOf } from './schema/resources.ts';

export { type Config, ConfigError } from './config/index.ts';
export type { GatewayRequest, GatewayResponse, OperationParams } from './gateway/request.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { Cancellation } from './rest/client/cancellation.ts';
export type { SharingCounters, SharingEvents, SharingState } from './sharing/events.ts';

/**
 * For printing and inspection: only a gateway can execute it, because its resolvers need the context that a gateway
 * creates. The explicit type keeps the types of the schema builder out of the library's declarations.
 */
export const schema: GraphQLSchema = builtSchema;

/** Reads the environment variables that the command line documents; those that are not set get their defaults. */
export function readConfig(env: { readonly [name: string]: string | undefined }): Config {
  return readConfigFor(env, resourcesOf(schema));
}
