import type { IncomingHttpHeaders } from 'node:http';
import type { FetchAPI } from 'graphql-yoga';
import { RequestError, requestIdOf } from '../../http/errors.ts';
import { DOCS_PATH } from '../../pages/docs.ts';
import { pathOf } from '../../pages/route.ts';
import { GatewayContext, type GatewayPlugin, type RequestPayload } from '../../request/context.ts';
import { errorResponse } from '../../response/json-response.ts';
import { attachBody } from '../../response/response-body.ts';
import type { GatewayState } from '../gateway-state.ts';
import type { useCors } from './use-cors.ts';

/**
 * Begins every request: it gets an id, its path, a log and an observation. What is no operation is answered here:
 * preflights of CORS, the pages of the gateway's own server, and paths where there is nothing. Yoga's own landing page,
 * GraphiQL and health check are off: they take any address that ends in their path, and have no security headers.
 */
export function useRequest(
  state: GatewayState,
  { answerPreflight }: ReturnType<typeof useCors>,
): GatewayPlugin {
  const { log, telemetry, endpoint, filePaths, routes, clientAddress, findClientAddress } = state;
  const taken = new WeakSet<object>();
  const docs = routes.length > 0 ? `, the documentation at ${DOCS_PATH}` : '';
  const notFound = new RequestError(
    404,
    'NOT_FOUND',
    `GraphQL is served at ${endpoint}, lists as files at ${Object.keys(filePaths).join(' and ')} (Excel reads CSV)${docs}.`,
  );

  /** The context of another server may have anything of its own under the names that the gateway uses. */
  function takeOver(context: GatewayContext, request: Request): void {
    // Two requests with one context would be one caller.
    if (taken.has(context)) throw new Error('Hand over a server context of its own with each request.');
    taken.add(context);
    const { req, res, waitUntil } = context;
    const client = undefined;
    const headers: IncomingHttpHeaders = Object.fromEntries(request.headers);
    const address = clientAddress
      ? clientAddress(context)
      : findClientAddress(req?.socket?.remoteAddress, headers['x-forwarded-for']);
    const observed = telemetry.begin(headers, requestIdOf(headers['x-request-id']));
    Object.assign(
      context,
      new GatewayContext({ req, res, client, address, headers, observed, log, waitUntil }),
    );
  }

  async function answer(payload: RequestPayload): Promise<void> {
    const { serverContext, fetchAPI, endResponse } = payload;
    const { path, client, req } = serverContext;
    const preflight = answerPreflight(payload);
    if (preflight) return endResponse(preflight);
    for (const route of routes) {
      const page = client && req && (await route(req));
      if (!page) continue;
      const { status, headers, body } = page;
      // In lower case, since the Headers of Yoga do not replace a name in another case.
      const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
      const response = new fetchAPI.Response(null, { status, headers: Object.fromEntries(named) });
      return endResponse(body ? attachBody(response, { whole: body, isPage: true }) : response);
    }
    if (path !== endpoint && !filePaths[path]) throw notFound;
  }

  return {
    onRequest(payload) {
      const { request, serverContext: context } = payload;
      const given: object = context;
      if (!(given instanceof GatewayContext)) takeOver(context, request);
      context.path = pathOf(request);
      // As most requests are.
      if (request.method === 'POST' && context.path === endpoint) return;
      return contain(() => answer(payload), payload, payload.endResponse);
    },
  };
}

/** A user's plugin, whose faults around a request are answered as all others: Yoga would send their stack. */
export function withoutStacks(plugin: object): object {
  const { onRequest, onResponse }: GatewayPlugin = plugin;
  const contained: GatewayPlugin = Object.create(plugin);
  if (onRequest)
    contained.onRequest = (payload) => contain(() => onRequest(payload), payload, payload.endResponse);
  if (onResponse)
    contained.onResponse = (payload) => contain(() => onResponse(payload), payload, payload.setResponse);
  return contained;
}

/** Answers a fault of a hook around a request. */
export async function contain(
  hook: () => unknown,
  { serverContext, fetchAPI }: { readonly serverContext: GatewayContext; readonly fetchAPI: FetchAPI },
  answer: (response: Response) => void,
): Promise<void> {
  try {
    await hook();
  } catch (error) {
    answer(errorResponse(error, serverContext, fetchAPI));
  }
}
