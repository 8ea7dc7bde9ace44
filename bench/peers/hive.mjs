// @ts-check
import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { createSchema } from 'graphql-yoga';
import { listen } from '../listen.mjs';
import { createContext } from './shared/context.mjs';
import { executeJit } from './shared/jit.mjs';
import { resolvers, typeDefs } from './shared/schema.mjs';

const schema = /** @type {import('graphql').GraphQLSchema} */ (createSchema({ typeDefs, resolvers }));

/**
 * Whole operations, in this process: there is nothing to plan and to stitch, which would take several times as long.
 * @type {(request: import('@graphql-tools/utils').ExecutionRequest) => any}
 */
function execute({ document, operationName, variables: variableValues, context }) {
  const contextValue = createContext(context.headers.authorization);
  return executeJit({ schema, document, operationName, variableValues, contextValue });
}

// Yoga's limit of bodies stays: there is no option for it.
const gateway = createGatewayRuntime({
  proxy: { endpoint: 'never called' },
  schema,
  transports: { http: { getSubgraphExecutor: () => execute } },
  cors: false,
  graphiql: false,
  landingPage: false,
  maskedErrors: false,
  logging: false,
  requestId: false,
  subgraphErrors: false,
});
await listen(createServer(gateway));
