import { createYoga, type YogaServerInstance, type YogaServerOptions } from 'graphql-yoga';
import { asGraphQLError } from '../execution/public-errors.ts';
import { requireDocument } from '../request/documents/stored-documents.ts';
import { withoutStacks } from '../response/errors.ts';
import { createSchema, schema } from '../schema/index.ts';
import { logToStderr } from '../telemetry/log.ts';
import { NO_TELEMETRY } from '../telemetry/telemetry.ts';
import {
  createGatewayState,
  type GatewayState,
  type HostOptions,
  type RestOptions,
} from './gateway-state.ts';
import { useStrictCors } from './plugins/use-cors.ts';
import { useDocuments } from './plugins/use-documents.ts';
import { useExecution } from './plugins/use-execution.ts';
import { useOperation } from './plugins/use-operation.ts';
import { useOperationArrays } from './plugins/use-operation-arrays.ts';
import { usePages } from './plugins/use-pages.ts';
import { useRequest } from './plugins/use-request.ts';
import { useResponse } from './plugins/use-response.ts';

export interface GatewayOptions extends RestOptions {
  /** The path of the endpoint; `/graphql` by default. */
  readonly graphqlEndpoint?: string;
  /** Plugins of Yoga or Envelop, which run with the gateway's own. */
  readonly plugins?: NonNullable<YogaServerOptions<object, object>['plugins']>;
}

/** A Yoga server: it serves Node's requests, has `fetch`, and mounts wherever Yoga does. Dispose it in the end. */
export type Gateway = YogaServerInstance<object, object> &
  Pick<GatewayState, 'ownerOf' | 'transfers' | 'relieve' | 'endSubscriptions' | 'stats' | 'readiness'>;

/** No address ends in a space. */
const NO_PATH = ' ';

/**
 * Creates a gateway. A query becomes REST calls in four steps: its document is parsed, validated and planned once;
 * resolvers in `schema/` request records from loaders, with the REST fields that the selection needs; the loaders batch
 * what is requested in the same tick; `rest/` sends the calls with the caller's credentials and validates the responses.
 * The list of plugins below is the way of a request from its headers to its response: each
 * says above its function what it does, and docs/design.md why the order matters.
 */
export function createGateway(options: GatewayOptions, host: HostOptions = {}): Gateway {
  const { plugins = [], corsOrigins = [], trustedDocuments, log = logToStderr } = options;
  const { graphqlEndpoint: endpoint = '/graphql' } = options;
  const { telemetry = NO_TELEMETRY, routes = [], allowsLocalPages = false } = host;
  // Plugins may change their schema.
  const ownSchema = plugins.length > 0 ? createSchema() : schema;
  const state = createGatewayState(options, host);
  const { session, transfers, documents, persisted, callLimit, ownAuthorization, ownerOf } = state;
  const places = { admission: state.admission, exports: state.exports, session, telemetry };

  const yoga: YogaServerInstance<object, object> = createYoga<object, object>({
    schema: ownSchema,
    graphqlEndpoint: endpoint,
    // See `useStrictCors`.
    cors: false,
    parserAndValidationCache: documents,
    maskedErrors: { maskError: asGraphQLError },
    // Bytes are counted where the body is read: Yoga's own limit would take more than half of a small request's time.
    maxRequestBodySize: false,
    multipart: false,
    // See `usePages`.
    graphiql: false,
    landingPage: false,
    healthCheckEndpoint: NO_PATH,
    extraParamNames: ['documentId'],
    logging: false,
    batching: options.maxBatch > 0 && { limit: options.maxBatch },
    plugins: [
      useRequest(log, telemetry),
      useStrictCors({ origins: corsOrigins, allowsLocalPages, endpoint }),
      usePages({ endpoint, routes }),
      useOperation({ ...places, endpoint, maxBatch: options.maxBatch, ownAuthorization, ownerOf }),
      useOperationArrays(places),
      useDocuments({ schema: ownSchema, trusted: trustedDocuments, persisted, documents }),
      useExecution({ session, subscriptions: state.subscriptions, telemetry }),
      ...plugins.filter(Boolean).map((plugin) => withoutStacks(plugin, log)),
      // Behind those of users, which may find documents too.
      { onParams: ({ params }) => requireDocument(params, routes.length > 0 && !trustedDocuments) },
      useResponse({ log, telemetry, endpoint, callLimit }),
      { onDispose: state.close },
    ],
  });
  const { relieve, endSubscriptions, stats, readiness } = state;
  return Object.assign(yoga, { ownerOf, transfers, relieve, endSubscriptions, stats, readiness });
}
