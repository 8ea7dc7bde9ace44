import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { getRequestId, RequestError } from '../http/errors.ts';
import { DOCS_PATH } from '../pages/docs.ts';
import { pathOf } from '../pages/route.ts';
import { type GatewayPlugin, RequestContext, type RequestPayload } from '../request/context.ts';
import { Exchange } from '../request/exchange.ts';
import type { Host } from '../request/host.ts';
import type { GatewayState } from '../request/state.ts';
import { errorResponse } from '../response/json-response.ts';
import { Cancellation } from '../rest/cancellation.ts';

/** Creates the exchange of a request. */
export function openExchange(context: RequestContext, request: Request, state: GatewayState): void {
  // Requests that share a context would also share its credentials.
  if (context.exchange instanceof Exchange) throw new Error('Pass a new server context with each request.');
  const host = context instanceof RequestContext ? context.host : createMountedHost(context, request, state);
  context.exchange = new Exchange(state, host);
}

/** Creates the host of a request to another server, whose context has Node's objects if it is based on Node. */
function createMountedHost(
  context: { readonly req?: IncomingMessage | undefined; readonly res?: ServerResponse | undefined },
  request: Request,
  { telemetry, clientAddress, findClientAddress }: GatewayState,
): Host {
  const { req, res } = context;
  const headers: IncomingHttpHeaders = Object.fromEntries(request.headers);
  const { signal } = request;
  const cancellation = new Cancellation();
  const abort = () => cancellation.abort('closed');
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  // Every request ends by aborting what is left of it.
  cancellation.onAbort(() => signal.removeEventListener('abort', abort));
  return {
    headers,
    path: pathOf(request),
    address: clientAddress
      ? clientAddress(context)
      : findClientAddress(req?.socket?.remoteAddress, headers['x-forwarded-for']),
    observation: telemetry.begin(headers, getRequestId(headers['x-request-id'])),
    cancellation,
    abortCode: undefined,
    async readBody(request, append) {
      // If a framework has parsed the body already, only its text is available.
      if (!request.body) return append(Buffer.from(await request.text()));
      const reader = request.body.getReader();
      const readAll = async (use: (chunk: Uint8Array) => void) => {
        for (let { value } = await reader.read(); value; { value } = await reader.read()) use(value);
      };
      try {
        await readAll(append);
      } catch (error) {
        // Node closes a connection with unread data, which can lose the response.
        readAll(() => {}).catch(() => {});
        throw error;
      }
    },
    failBody(error, controller) {
      // Yoga, which pipes the body to Node's response, would neither close the connection nor handle the error.
      if (res) res.destroy();
      else controller.error(error);
    },
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
