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

/** What the gateway's own server uses of it. */
function ownMembers(state: GatewayState) {
  const { log, telemetry, memoryBudget, getLimitKey, stats, readiness } = state;
  const { freeMemory, endSubscriptions, refuseWaiting, refreshed } = state;
  return {
    ...{ log, telemetry, memoryBudget, getLimitKey, stats, readiness },
    ...{ freeMemory, endSubscriptions, refuseWaiting, refreshed },
    createContext: (client: Client) => createContext(client, state),
  };
}

/** A Yoga server: it serves Node's requests, has `fetch`, and mounts wherever Yoga does. Dispose it in the end. */
export type Gateway = YogaServerInstance<object, object> & ReturnType<typeof ownMembers>;

/** No address ends in a space. */
const NO_PATH = ' ';

/**
 * Creates a gateway. A query becomes REST calls in four steps: its document is parsed, validated and planned once;
 * resolvers in `schema/` request records from loaders, with the REST fields that the selection needs; the loaders batch
 * what is requested in the same tick; `rest/` sends the calls with the caller's credentials and validates the responses.
 * `createPath` shows all that happens to a request, in its order.
 */
export function createGateway(options: GatewayOptions, host: HostOptions = {}): Gateway {
  const state = createGatewayState(options, host);
  const { schema, endpoint, documents, plugins = [] } = state;
  const { before, after } = createPath(state);

  const yoga: YogaServerInstance<object, object> = createYoga<object, object>({
    schema,
    graphqlEndpoint: endpoint,
    // See `createCors`.
    cors: false,
    // To parse what cannot be parsed takes longer than to execute a valid document.
    parserAndValidationCache: { documentCache: documents, errorCache: lruMap<object>(20) },
    // What of an error may be seen is decided where it is written: see `reportError`.
    maskedErrors: false,
    // Bytes are counted where the body is read: Yoga's own limit would take more than half of a small request's time.
    maxRequestBodySize: false,
    multipart: false,
    // See `createOtherAnswers`.
    graphiql: false,
    landingPage: false,
    healthCheckEndpoint: NO_PATH,
    extraParamNames: ['documentId'],
    logging: false,
    batching: options.maxBatch > 0 && { limit: options.maxBatch },
    plugins: [before, ...plugins.filter(Boolean).map(withErrorHandling), after, { onDispose: state.close }],
  });
  return Object.assign(yoga, ownMembers(state));
}
