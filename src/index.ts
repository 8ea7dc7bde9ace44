/**
 * The gateway as a library, for a Node server of one's own. It runs operations; to read requests, to limit how many
 * run at once and to send responses is up to that server:
 *
 * ```ts
 * const gateway = createGateway({ ...readConfig(process.env), restUrl: new URL('https://rest.example') });
 *
 * async function answer(params: OperationParams, bytes: number, request: IncomingMessage, response: ServerResponse) {
 *   const { method, headers, socket } = request;
 *   const cancellation = new Cancellation();
 *   response.once('close', () => cancellation.abort('closed'));
 *   const isReadOnly = method === 'GET';
 *   const owner = gateway.ownerOf(headers, socket.remoteAddress ?? '');
 *   const requestId = randomUUID();
 *   const result = await gateway.run({ params, bytes, isReadOnly, headers, owner, requestId }, cancellation);
 *   response.writeHead(result.status, { 'Content-Type': 'application/json; charset=utf-8', ...result.headers });
 *   for (const piece of result.body) response.write(piece, 'latin1');
 *   response.end();
 * }
 * ```
 *
 * Set NODE_ENV=production: graphql decides by it, as it loads, whether to make checks that only help a developer.
 */
import type { GraphQLSchema } from 'graphql';
import { type Config, readConfig as readConfigFor } from './config.ts';
import { schema as builtSchema } from './schema/index.ts';
import { resourcesOf } from './schema/resources.ts';

export { type Config, ConfigError } from './config.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway/gateway.ts';
export type { GatewayRequest, GatewayResponse, OperationParams } from './gateway/request.ts';
export { Cancellation } from './rest/client/cancellation.ts';

/**
 * To print or to inspect: only a gateway can run it, because its resolvers need the context that a gateway makes.
 * Its type is written out, so that the types of what it is built with are none of the library's.
 */
export const schema: GraphQLSchema = builtSchema;

/** The settings that the environment gives, under the names of the command line; what it does not give is default. */
export function readConfig(env: { readonly [name: string]: string | undefined }): Config {
  return readConfigFor(env, resourcesOf(schema));
}
