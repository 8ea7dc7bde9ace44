import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import { lruMap } from '../memoize.ts';
import type { Client } from '../request/exchange.ts';
import {
  createGatewayState,
  type GatewayOptions,
  type GatewayState,
  type HostOptions,
} from './gateway-state.ts';
import { createContext, withErrorHandling } from './open-exchange.ts';
import { createPath } from './path.ts';

export type { GatewayOptions };

/** Returns what the gateway's own server uses, besides Yoga. */
function pickServerMembers(state: GatewayState) {
  const { log, telemetry, memoryBudget, getLimitKey, stats, readiness } = state;
  const { freeMemory, endSubscriptions, refuseWaiting, refreshed } = state;
  return {
    ...{ log, telemetry, memoryBudget, getLimitKey, stats, readiness },
    ...{ freeMemory, endSubscriptions, refuseWaiting, refreshed },
    createContext: (client: Client) => createContext(client, state),
  };
}

/** A Yoga server: it handles Node's requests, has `fetch`, and can be mounted like Yoga. Call `dispose` to end it. */
export type Gateway = YogaServerInstance<object, object> & ReturnType<typeof pickServerMembers>;

/** No path ends in a space, so this turns Yoga's health check off. */
const NO_PATH = ' ';

/**
 * Creates a gateway. A document is parsed, validated and planned once. Resolvers in `schema/` request records from
 * loaders, which batch the requests of one tick. `rest/` sends the calls with the caller's credentials and validates the
 * responses. `createPath` shows the steps of a request.
 */
export function createGateway(options: GatewayOptions, host: HostOptions = {}): Gateway {
  const state = createGatewayState(options, host);
  const { schema, endpoint, documents, plugins = [] } = state;
  const { before, after } = createPath(state);

  const yoga: YogaServerInstance<object, object> = createYoga<object, object>({
    schema,
    graphqlEndpoint: endpoint,
    cors: false,
    // Parsing an invalid document takes longer than executing a valid one.
    parserAndValidationCache: { documentCache: documents, errorCache: lruMap<object>(20) },
    // `toPublicError` decides what clients see of an error.
    maskedErrors: false,
    // `receiveBody` counts bytes: Yoga's limit would take more than half of the time of a small request.
    maxRequestBodySize: false,
    multipart: false,
    // `createPageHandler` serves pages.
    graphiql: false,
    landingPage: false,
    healthCheckEndpoint: NO_PATH,
    extraParamNames: ['documentId'],
    logging: false,
    batching: options.maxBatch > 0 && { limit: options.maxBatch },
    plugins: [before, ...plugins.filter(Boolean).map(withErrorHandling), after, { onDispose: state.close }],
  });
  return Object.assign(yoga, pickServerMembers(state));
}
