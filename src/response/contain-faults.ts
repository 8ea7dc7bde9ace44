import { RequestError } from '../http/errors.ts';
import type { GatewayContext, GatewayPlugin } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';
import { errorResponse } from './errors.ts';

const UNEXPECTED = new RequestError(500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.');

/** The response to a fault, whose details are only logged. */
export function respondToFault(
  error: unknown,
  request: Request,
  context: GatewayContext,
  fetchAPI: Parameters<typeof errorResponse>[3],
  log: Log,
): Response {
  log('error', 'unexpected error', { requestId: context.requestId, ...faultDetails(error) });
  return errorResponse(UNEXPECTED, request, context, fetchAPI);
}

/** The hooks whose errors Yoga does not catch. */
type AroundRequests = Pick<
  GatewayPlugin,
  | 'onRequest'
  | 'onResponse'
  | 'instrumentation'
  | 'onPluginInit'
  | 'onContextBuilding'
  | (typeof NOT_AWAITED)[number]
>;

/** Envelop calls these without awaiting them: what an async one rejects would end the process, and deny nothing. */
const NOT_AWAITED = ['onEnveloped', 'onParse', 'onValidate'] as const;

/** Answers errors of a user's plugin around requests as all others: Yoga would not catch them, or send their stack. */
export function containFaults(plugin: object, log: Log): object {
  const given: AroundRequests = plugin;
  const { onRequest, onResponse, instrumentation, onPluginInit } = given;
  const contained: AroundRequests = Object.create(plugin);
  if (onRequest) {
    contained.onRequest = async (payload) => {
      const { request, serverContext, fetchAPI, setRequestHandler, endResponse } = payload;
      const respond = (error: unknown) => respondToFault(error, request, serverContext, fetchAPI, log);
      try {
        await onRequest({
          ...payload,
          // It may wrap all that handles the request.
          setRequestHandler: (handle) =>
            setRequestHandler(async (...handled) => {
              try {
                return await handle(...handled);
              } catch (error) {
                return respond(error);
              }
            }),
        });
      } catch (error) {
        endResponse(respond(error));
      }
    };
  }
  if (onResponse) {
    contained.onResponse = async (payload) => {
      try {
        await onResponse(payload);
      } catch (error) {
        const { request, serverContext, fetchAPI, setResponse } = payload;
        setResponse(respondToFault(error, request, serverContext, fetchAPI, log));
      }
    };
  }
  if (instrumentation?.request)
    contained.instrumentation = {
      ...instrumentation,
      request: containInstrument(instrumentation.request, log),
    };
  awaitHooks(given, contained);
  if (onPluginInit) {
    contained.onPluginInit = (payload) =>
      onPluginInit({ ...payload, addPlugin: (added) => payload.addPlugin(containFaults(added, log)) });
  }
  return contained;
}

/** Awaits what async hooks have begun before the operation is executed: one that rejects may be there to deny it. */
function awaitHooks(given: AroundRequests, contained: AroundRequests): void {
  const begun = new WeakMap<object, Promise<unknown>[]>();
  const asyncHooks = NOT_AWAITED.filter((name) => given[name] !== undefined);
  if (asyncHooks.length === 0) return;
  for (const name of asyncHooks) {
    const hook: ((payload: never) => unknown) | undefined = given[name];
    Object.assign(contained, {
      [name](payload: never) {
        const result = hook?.(payload);
        if (!(result instanceof Promise)) return result;
        // Not unhandled, whether or not the operation gets as far as its context.
        result.catch(() => {});
        const { context }: { readonly context: object } = payload;
        begun.set(context, [...(begun.get(context) ?? []), result]);
        return undefined;
      },
    });
  }
  const { onContextBuilding } = given;
  contained.onContextBuilding = async (payload) => {
    await Promise.all(begun.get(payload.context) ?? []);
    return onContextBuilding?.(payload);
  };
}

type Instrument = NonNullable<NonNullable<AroundRequests['instrumentation']>['request']>;

/** Instruments only observe: the request is handled without one that fails. */
function containInstrument(instrument: Instrument, log: Log): Instrument {
  return async (payload, handle) => {
    let isHandled = false;
    try {
      await instrument(payload, () => {
        isHandled = true;
        return handle();
      });
    } catch (error) {
      log('error', 'unexpected error', faultDetails(error));
      if (!isHandled) await handle();
    }
  };
}
