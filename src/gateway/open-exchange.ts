import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { getRequestId, RequestError } from '../http/errors.ts';
import { DOCS_PATH } from '../pages/docs.ts';
import { pathOf } from '../pages/route.ts';
import { type GatewayPlugin, RequestContext, type RequestPayload } from '../request/context.ts';
import { type Client, Exchange } from '../request/exchange.ts';
import type { GatewayState } from '../request/state.ts';
import { errorResponse } from '../response/json-response.ts';

/** Creates the context of a request to the gateway's own server. */
export function createContext(client: Client, state: GatewayState): RequestContext {
  const { req } = client.res;
  const { headers, socket } = req;
  const address = state.findClientAddress(socket.remoteAddress, headers['x-forwarded-for']);
  return new RequestContext(
    req,
    new Exchange(state, headers, pathOf(req), address, client.observation, client),
  );
}

/** Returns a function that creates the exchange of a request, unless the gateway's own server has created it. */
export function createExchangeOpener(state: GatewayState) {
  const { telemetry, clientAddress, findClientAddress } = state;
  const usedContexts = new WeakSet<object>();
  return (context: RequestContext, request: Request): void => {
    // Other servers based on Node have these members, too.
    const foreign: { req?: IncomingMessage | undefined; res?: ServerResponse | undefined } = context;
    if (foreign instanceof RequestContext) return;
    // Requests that share a context would also share its credentials.
    if (usedContexts.has(context)) throw new Error('Pass a new server context with each request.');
    usedContexts.add(context);
    const { req, res } = foreign;
    const headers: IncomingHttpHeaders = Object.fromEntries(request.headers);
    const address = clientAddress
      ? clientAddress(context)
      : findClientAddress(req?.socket?.remoteAddress, headers['x-forwarded-for']);
    const observation = telemetry.begin(headers, getRequestId(headers['x-request-id']));
    const exchange = new Exchange(state, headers, pathOf(request), address, observation, undefined, res);
    Object.assign(context, { exchange });
  };
}

/** Returns a function that returns an error for a path without operations. */
export function createPathCheck({ endpoint, filePaths, hasPages }: GatewayState) {
  const docs = hasPages ? `, the documentation at ${DOCS_PATH}` : '';
  const files = Object.keys(filePaths).join(' and ');
  const message = `GraphQL is served at ${endpoint}, lists as files at ${files} (Excel reads CSV)${docs}.`;
  const notFound = new RequestError(404, 'NOT_FOUND', message);
  return (path: string) => (path === endpoint || filePaths[path] ? undefined : notFound);
}

/** Wraps the hooks of a user's plugin that run outside of `wrap`: Yoga would send the stack of an error in them. */
export function withErrorHandling(plugin: object): object {
  const { onRequest, onResponse }: GatewayPlugin = plugin;
  const wrapped: GatewayPlugin = Object.create(plugin);
  if (onRequest)
    wrapped.onRequest = (payload) => catchErrors(payload.endResponse, payload, () => onRequest(payload));
  if (onResponse)
    wrapped.onResponse = (payload) => {
      const setResponse = (response: Response) => {
        copyCorsHeaders(payload.response, response);
        payload.setResponse(response);
      };
      return catchErrors(setResponse, payload, () => onResponse({ ...payload, setResponse }));
    };
  return wrapped;
}

/** Yoga adds these headers before the hooks of plugins, which may replace its response. */
function copyCorsHeaders(from: Response, to: Response): void {
  from.headers.forEach((value, name) => {
    if (name.startsWith('access-control-')) to.headers.set(name, value);
  });
}

/** Runs a hook, and turns an error into a response. */
async function catchErrors(
  setResponse: (response: Response) => void,
  { serverContext, fetchAPI }: Pick<RequestPayload, 'serverContext' | 'fetchAPI'>,
  hook: () => unknown,
): Promise<void> {
  try {
    await hook();
  } catch (error) {
    setResponse(errorResponse(error, serverContext.exchange, fetchAPI));
  }
}
