import type { IncomingHttpHeaders } from 'node:http';
import type { FetchAPI } from 'graphql-yoga';
import { requestIdOf } from '../../http/errors.ts';
import { pathOf } from '../../pages/route.ts';
import { GatewayContext, type GatewayPlugin } from '../../request/context.ts';
import { errorResponse } from '../../response/json-response.ts';
import type { GatewayState } from '../gateway-state.ts';

/** Gives every request an id, its path, a log and an observation. */
export function useRequest({ log, telemetry }: GatewayState): GatewayPlugin {
  const taken = new WeakSet<object>();

  /** The context of another server may have anything of its own under the names that the gateway uses. */
  function takeOver(context: GatewayContext, request: Request): void {
    // Two requests with one context would be one caller.
    if (taken.has(context)) throw new Error('Hand over a server context of its own with each request.');
    taken.add(context);
    const { req, res, waitUntil } = context;
    const headers: IncomingHttpHeaders = Object.fromEntries(request.headers);
    const requestId = requestIdOf(headers['x-request-id']);
    const observed = telemetry.begin(headers, requestId);
    const own = new GatewayContext({ req, res, client: undefined, requestId, headers, observed });
    Object.assign(context, own, { waitUntil });
  }

  return {
    onRequest({ request, serverContext: context }) {
      const given: object = context;
      if (!(given instanceof GatewayContext)) takeOver(context, request);
      context.log = log;
      context.path = pathOf(request);
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
