import type { IncomingHttpHeaders } from 'node:http';
import { requestIdOf } from '../../http/errors.ts';
import { Client, type GatewayContext, type GatewayPlugin } from '../../request/context.ts';
import { respondToFault } from '../../response/faults.ts';
import { faultDetails, type Log } from '../../telemetry/log.ts';

/** Gives a request its id, and ends what others began for it: Yoga does not call `onResponse` once anything throws. */
export function useRequestScope(log: Log): GatewayPlugin {
  const taken = new WeakSet<object>();
  return {
    onRequest({ request, serverContext: context, requestHandler, setRequestHandler, fetchAPI }) {
      if (context.client instanceof Client) context.headers = context.req?.headers ?? {};
      else {
        // Two requests with one context would be one caller.
        if (taken.has(context)) throw new Error('Hand over a server context of its own with each request.');
        taken.add(context);
        takeOver(context, request);
      }
      const endings: (() => void)[] = [];
      context.endings = endings;
      setRequestHandler(async (handled, handlerContext) => {
        let streaming: Promise<void> | undefined;
        try {
          const response = await requestHandler(handled, handlerContext);
          streaming = context.streaming;
          // A plugin has put another result in the place of a stream, which nobody will read.
          if (streaming && context.streamed === undefined) context.cancellation.abort('closed');
          return response;
        } catch (error) {
          return respondToFault(error, request, context, fetchAPI, log);
        } finally {
          if (streaming) void streaming.then(() => endAll(endings, log));
          else endAll(endings, log);
        }
      });
    },
    onResponse({ response, serverContext: { requestId } }) {
      if (requestId !== undefined) response.headers.set('X-Request-Id', requestId);
    },
  };
}

/** The context of another server may have anything of its own under the names that the gateway uses. */
function takeOver(context: GatewayContext, request: Request): void {
  const headers: IncomingHttpHeaders = Object.fromEntries(request.headers);
  Object.assign(context, {
    headers,
    requestId: requestIdOf(headers['x-request-id']),
    client: undefined,
    body: undefined,
    array: undefined,
    hasParams: false,
    executed: undefined,
    keepJson: undefined,
    exported: undefined,
    exportPlan: undefined,
    releasePlace: undefined,
    streamed: undefined,
    streaming: undefined,
    streamType: undefined,
    takesStreamsOnly: false,
    lastEventId: undefined,
    stream: undefined,
    publicErrors: undefined,
  });
}

/** One that fails, perhaps since a plugin has changed the context, must not keep the others from ending. */
function endAll(endings: readonly (() => void)[], log: Log): void {
  for (const end of endings.toReversed()) {
    try {
      end();
    } catch (error) {
      log('error', 'unexpected error', faultDetails(error));
    }
  }
}
