import type { GatewayPlugin } from '../request/context.ts';

/** The hooks that Yoga runs around an operation. */
const AROUND = [
  'onRequest',
  'onRequestParse',
  'onParams',
  'onExecutionResult',
  'onResultProcess',
  'onResponse',
] as const;

/** All that are joined: those of Envelop too that run with every operation. */
const HOOKS = [...AROUND, 'onParse', 'onValidate', 'onExecute'] as const;

type HookName = (typeof HOOKS)[number];
type Hook<Name extends HookName> = NonNullable<GatewayPlugin[Name]>;
type Payload<Name extends HookName> = Parameters<Hook<Name>>[0];

/**
 * The gateway's own plugins around those of users, in their order. Hooks of neighbours, Yoga's own among them, are run
 * by the first of them in a plain loop: Yoga makes some two kilobytes of closures and promises for each that it calls.
 */
export function withOwnPlugins(
  before: readonly GatewayPlugin[],
  given: readonly object[],
  behind: readonly GatewayPlugin[],
): object[] {
  const joining: GatewayPlugin = {
    onPluginInit({ plugins }) {
      // Where an option of Yoga is off, there is no plugin.
      const all: (object | false)[] = plugins;
      const own = all.indexOf(joining) + 1;
      // In place of these, the gateway has its own: health check, parsers, and writing of results.
      for (let index = 0; index < own; index += 1) all[index] = without(AROUND, all[index]);
      const users = own + before.length;
      if (given.length > 0) {
        joinHooks(all, 0, users);
        joinHooks(all, users + given.length, all.length);
        return;
      }
      // Nobody else reads parameters or gives results, so nothing about them is left to check or to mask.
      for (let index = users + behind.length; index < all.length; index += 1)
        all[index] = without(['onRequestParse', 'onExecute'], all[index]);
      // The rules of Yoga's engine are the default of the gateway's own validation, and need not be listed each time.
      const engine = all.findIndex((plugin) => plugin && 'onSubscribe' in plugin && 'onValidate' in plugin);
      if (engine >= 0) all[engine] = without(['onValidate'], all[engine]);
      joinHooks(all, 0, all.length);
    },
  };
  return [joining, ...before, ...given, ...behind];
}

function joinHooks(plugins: (object | false)[], start: number, end: number): void {
  const joined = plugins.slice(start, end).map((plugin): GatewayPlugin => plugin || {});
  if (joined.length === 0) return;
  plugins.splice(start, joined.length, ...joined.map((plugin) => without(HOOKS, plugin)));
  plugins[start] = { ...plugins[start], ...hooksInTurn(joined) };
}

function hooksInTurn(plugins: readonly GatewayPlugin[]): GatewayPlugin {
  /** One hook for all of its name, if there are any. */
  function joined<Name extends HookName>(name: Name, join: (hooks: Hook<Name>[]) => Hook<Name>): object {
    const hooks = plugins.flatMap((plugin): Hook<Name>[] => {
      const hook = plugin[name];
      return hook ? [hook] : [];
    });
    return hooks.length > 0 ? { [name]: join(hooks) } : {};
  }
  return {
    ...joined('onRequest', (hooks) => (given) => {
      let isOver = false;
      const payload: Payload<'onRequest'> = {
        ...given,
        setRequestHandler(handler) {
          payload.requestHandler = handler;
          given.setRequestHandler(handler);
        },
        endResponse(response) {
          isOver = true;
          given.endResponse(response);
        },
      };
      return inTurn(hooks, payload, () => isOver);
    }),
    ...joined('onRequestParse', (hooks) => (payload) => inTurn(hooks, payload)),
    ...joined('onParams', (hooks) => (given) => {
      const payload: Payload<'onParams'> = {
        ...given,
        setParams(params) {
          payload.params = params;
          given.setParams(params);
        },
      };
      return inTurn(hooks, payload);
    }),
    ...joined('onExecutionResult', (hooks) => (payload) => inTurn(hooks, payload)),
    ...joined('onResultProcess', (hooks) => (given) => {
      const payload: Payload<'onResultProcess'> = {
        ...given,
        setResult(result) {
          payload.result = result;
          given.setResult(result);
        },
      };
      return inTurn(hooks, payload);
    }),
    ...joined('onResponse', (hooks) => (payload) => inTurn(hooks, payload)),
    // None of these looks at what another one has set.
    ...joined('onParse', (hooks) => (payload) => withEndings(hooks, payload)),
    ...joined('onValidate', (hooks) => (payload) => withEndings(hooks, payload)),
    ...joined('onExecute', (hooks) => (payload) => {
      // They only say what executes the operation, but for Yoga's masking of errors, which sees the result.
      let after: ReturnType<Hook<'onExecute'>> | undefined;
      for (const hook of hooks) after = hook(payload) ?? after;
      return after;
    }),
  };
}

function without(names: readonly HookName[], plugin: object | false | undefined): object {
  return { ...plugin, ...Object.fromEntries(names.map((name) => [name, undefined])) };
}

/** One after the other, until one of them ends it. */
function inTurn<Given>(
  hooks: readonly ((payload: Given) => unknown)[],
  payload: Given,
  isOver?: () => boolean,
  first = 0,
): void | Promise<void> {
  for (let index = first; index < hooks.length; index += 1) {
    const running = hooks[index]?.(payload);
    if (running instanceof Promise) {
      // V8 makes an object of each `index` if a function inside the loop refers to it.
      const next = index + 1;
      return running.then(() => (isOver?.() ? undefined : inTurn(hooks, payload, isOver, next)));
    }
    if (isOver?.()) return undefined;
  }
  return undefined;
}

/** One after the other; then what they return, likewise. */
function withEndings<Given, Ended>(
  // biome-ignore lint/suspicious/noConfusingVoidType: so Envelop declares its hooks.
  hooks: readonly ((payload: Given) => ((ended: Ended) => void) | void)[],
  payload: Given,
): ((ended: Ended) => void) | undefined {
  const endings: ((ended: Ended) => void)[] = [];
  for (const hook of hooks) {
    const ending = hook(payload);
    if (ending) endings.push(ending);
  }
  if (endings.length === 0) return undefined;
  return (ended) => {
    for (const ending of endings) ending(ended);
  };
}
