import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import { lruMap } from '../memoize.ts';
import {
  createGatewayState,
  type GatewayOptions,
  type GatewayState,
  type HostOptions,
} from './gateway-state.ts';
import { useCors } from './plugins/use-cors.ts';
import { useDocuments } from './plugins/use-documents.ts';
import { useExecution } from './plugins/use-execution.ts';
import { useOperation } from './plugins/use-operation.ts';
import { useRequest, withoutStacks } from './plugins/use-request.ts';
import { useResponse } from './plugins/use-response.ts';

export type { GatewayOptions };

/** What the gateway's own server uses of it. */
function ownMembers(state: GatewayState) {
  const { log, telemetry, transfers, ownerOf, stats, readiness } = state;
  const { relieve, endSubscriptions, refuseWaiting, refreshed, findClientAddress } = state;
  return {
    ...{ log, telemetry, transfers, ownerOf, stats, readiness },
    ...{ relieve, endSubscriptions, refuseWaiting, refreshed, findClientAddress },
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
 * The list of plugins below is the table of contents: each says above its function what it does, and docs/design.md why
 * the order matters.
 */
export function createGateway(options: GatewayOptions, host: HostOptions = {}): Gateway {
  const state = createGatewayState(options, host);
  const { schema, endpoint, documents, plugins = [] } = state;
  const cors = useCors(state);

  const yoga: YogaServerInstance<object, object> = createYoga<object, object>({
    schema,
    graphqlEndpoint: endpoint,
    // See `useCors`.
    cors: false,
    // To parse what cannot be parsed takes longer than to execute a valid document.
    parserAndValidationCache: { documentCache: documents, errorCache: lruMap<object>(20) },
    // What of an error may be seen is decided where it is written: see `reportError`.
    maskedErrors: false,
    // Bytes are counted where the body is read: Yoga's own limit would take more than half of a small request's time.
    maxRequestBodySize: false,
    multipart: false,
    // See `useRequest`.
    graphiql: false,
    landingPage: false,
    healthCheckEndpoint: NO_PATH,
    extraParamNames: ['documentId'],
    logging: false,
    batching: options.maxBatch > 0 && { limit: options.maxBatch },
    plugins: [
      useRequest(state, cors),
      cors.plugin,
      useDocuments(state),
      useExecution(state),
      ...plugins.filter(Boolean).map(withoutStacks),
      useOperation(state),
      useResponse(state),
      { onDispose: state.close },
    ],
  });
  return Object.assign(yoga, ownMembers(state));
}
