/**
 * The gateway as a library: a Yoga server, for Node's own server or wherever Yoga mounts.
 *
 * ```ts
 * const gateway = createGateway({ ...readConfig(process.env), restUrl: new URL('https://rest.example') });
 * createServer(gateway).listen(4000);
 * ```
 *
 * Set NODE_ENV=production: graphql 16 reads it when it is loaded, to skip checks that only help during development.
 */
import type { GraphQLSchema } from 'graphql';
import { type Config, readConfig as readConfigFor } from './config/index.ts';
import { schema as builtSchema, RESOURCES } from './schema/index.ts';

export { type Config, ConfigError } from './config/index.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway/gateway.ts';
export type { SharingState } from './sharing/redis.ts';

/**
 * For printing and inspection: only a gateway can execute it, because its resolvers need the context that a gateway
 * creates. The explicit type keeps the types of the schema builder out of the library's declarations.
 */
export const schema: GraphQLSchema = builtSchema;

/** Reads the environment variables that the command line documents; those that are not set get their defaults. */
export function readConfig(env: { readonly [name: string]: string | undefined }): Config {
  return readConfigFor(env, RESOURCES);
}
