import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import { lruMap } from '../memoize.ts';
import {
  createGatewayState,
  type GatewayOptions,
  type GatewayState,
  type HostOptions,
} from '../request/state.ts';
import { corsOptions } from './cors.ts';
import { createLifecycle } from './lifecycle.ts';
import { withErrorHandling } from './open-exchange.ts';

export type { GatewayOptions };

/** A Yoga server: it handles Node's requests, has `fetch`, and can be mounted like Yoga. Call `dispose` to end it. */
export type Gateway = YogaServerInstance<object, object> &
  Pick<GatewayState, 'stats' | 'readiness'> & {
    /** The gateway's own server uses it. */
    readonly state: GatewayState;
  };

/** No path ends in a space, so this turns Yoga's health check off. */
const NO_PATH = ' ';

/**
 * Creates a gateway. A document is parsed, validated and planned once. Resolvers in `schema/` request records from
 * loaders, which batch the requests of one tick. `rest/` sends the calls with the caller's credentials and validates the
 * responses. `createLifecycle` shows the steps of a request.
 */
export function createGateway(options: GatewayOptions, host: HostOptions = {}): Gateway {
  const state = createGatewayState(options, host);
  const { schema, endpoint, documents, plugins = [], stats, readiness } = state;
  const { before, after } = createLifecycle(state);

  const yoga: YogaServerInstance<object, object> = createYoga<object, object>({
    schema,
    graphqlEndpoint: endpoint,
    cors: corsOptions(state),
    // Parsing an invalid document takes longer than executing a valid one.
    parserAndValidationCache: { documentCache: documents, errorCache: lruMap<object>(20) },
    // `toPublicError` decides what clients see of an error.
    maskedErrors: false,
    // `receiveBody` counts bytes: Yoga's limit would take more than half of the time of a small request.
    maxRequestBodySize: false,
    multipart: false,
    // The gateway's own server has its own pages.
    graphiql: false,
    landingPage: false,
    healthCheckEndpoint: NO_PATH,
    extraParamNames: ['documentId'],
    logging: false,
    batching: options.maxBatch > 0 && { limit: options.maxBatch },
    plugins: [before, ...plugins.filter(Boolean).map(withErrorHandling), after, { onDispose: state.close }],
  });
  return Object.assign(yoga, { state, stats, readiness });
}
