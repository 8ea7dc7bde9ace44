import type { GatewayPlugin } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';

/** Envelop calls these, and the functions that they return, without awaiting them. */
const NOT_AWAITED = ['onEnveloped', 'onParse', 'onValidate'] as const;

/** Awaits hooks that Envelop does not: what an async one rejects would end the process, and deny nothing. */
export function containHooks(given: GatewayPlugin, contained: GatewayPlugin, log: Log): void {
  if ([...NOT_AWAITED, 'onContextBuilding' as const].some((name) => given[name]))
    awaitHooks(given, contained);
  containStreams(given, contained, log);
  const { onSchemaChange } = given;
  if (onSchemaChange) contained.onSchemaChange = (payload) => logRejection(onSchemaChange(payload), log);
}

type Hook = (payload: { readonly context: object }) => unknown;

/** By context, of all plugins: one of them may end the building of the context before the others are asked. */
const begun = new WeakMap<object, Promise<unknown>[]>();

/** Awaits what async hooks have begun before the operation is executed: one that rejects may be there to deny it. */
function awaitHooks(given: GatewayPlugin, contained: GatewayPlugin): void {
  const awaited =
    (hook: Hook): Hook =>
    (payload) => {
      const result = hook(payload);
      if (isHook(result)) return awaited(result);
      if (!(result instanceof Promise)) return result;
      // Not unhandled, whether or not the operation gets as far as its context.
      result.catch(() => {});
      begun.set(payload.context, [...(begun.get(payload.context) ?? []), result]);
      return awaited((ended) => result.then((ending) => isHook(ending) && ending(ended)));
    };
  for (const name of NOT_AWAITED) {
    const hook: unknown = given[name];
    if (isHook(hook)) Object.assign(contained, { [name]: awaited(hook) });
  }
  contained.onContextBuilding = (payload) => {
    const { context } = payload;
    const building = Promise.all(begun.get(context) ?? []).then(() => given.onContextBuilding?.(payload));
    return context.cancellation.limit(building);
  };
}

function isHook(value: unknown): value is Hook {
  return typeof value === 'function';
}

/** Contains what is called with each part of a result, such as a page of an export or an event, and at its end. */
function containStreams({ onExecute, onSubscribe }: GatewayPlugin, contained: GatewayPlugin, log: Log): void {
  const withEnd = <Handlers extends { onEnd?: () => void }>(handlers: Handlers): Handlers => {
    const { onEnd } = handlers;
    return onEnd ? { ...handlers, onEnd: () => logRejection(callAsync(onEnd), log) } : handlers;
  };
  if (onExecute)
    contained.onExecute = async (payload) => {
      const hooks = await payload.context.cancellation.limit(callAsync(() => onExecute(payload)));
      return { onExecuteDone: async (done) => withEnd((await hooks?.onExecuteDone?.(done)) ?? {}) };
    };
  if (onSubscribe)
    contained.onSubscribe = async (payload) => {
      const hooks = await payload.context.cancellation.limit(callAsync(() => onSubscribe(payload)));
      return {
        onSubscribeResult(subscribed) {
          const handlers: unknown = hooks?.onSubscribeResult?.(subscribed);
          if (!(handlers instanceof Promise)) return withEnd(handlers ?? {});
          handlers.catch(() => {});
          return withEnd({
            // An event waits for what may be there to deny it.
            onNext: async (event) => (await handlers)?.onNext?.(event),
            onEnd: async () => (await handlers)?.onEnd?.(),
          });
        },
        onSubscribeError: (failed) => logRejection(hooks?.onSubscribeError?.(failed), log),
      };
    };
}

/** Calls at once, and rejects what it throws. */
async function callAsync<Result>(call: () => Result): Promise<Awaited<Result>> {
  return await call();
}

/** Of what nobody awaits. */
function logRejection(result: unknown, log: Log): void {
  if (result instanceof Promise)
    result.catch((error: unknown) => log('error', 'unexpected error', faultDetails(error)));
}
