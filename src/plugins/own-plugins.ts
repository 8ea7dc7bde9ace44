import type { GatewayPlugin } from './context.ts';

/** The hooks that Yoga runs around an operation. Those of Envelop, within it, stay with their plugins. */
const HOOKS = [
  'onRequest',
  'onRequestParse',
  'onParams',
  'onExecutionResult',
  'onResultProcess',
  'onResponse',
] as const;

type Hooks = { readonly [Name in (typeof HOOKS)[number]]-?: NonNullable<GatewayPlugin[Name]>[] };
type Payload<Name extends keyof Hooks> = Parameters<Hooks[Name][number]>[0];

/** The gateway's own plugins around those of users, in the order in which they run. */
export function withOwnPlugins(
  before: readonly GatewayPlugin[],
  given: readonly object[],
  behind: readonly GatewayPlugin[],
): object[] {
  if (given.length === 0) return [withoutYogaParsers, ...inOnePlugin([...before, ...behind])];
  return [withoutYogaParsers, ...inOnePlugin(before), ...given, ...inOnePlugin(behind)];
}

/** Yoga asks all its parsers with every request, though `useBoundedParams` takes the place of whichever it finds. */
const withoutYogaParsers: GatewayPlugin = {
  onPluginInit({ plugins }) {
    // Where an option of Yoga is off, there is no plugin.
    const all: (object | false)[] = plugins;
    const before = all.slice(0, all.indexOf(withoutYogaParsers));
    for (const [index, plugin] of before.entries()) if (plugin && 'onRequestParse' in plugin) all[index] = {};
  },
};

/**
 * Plugins whose hooks are run by one of them in a plain loop: Yoga makes some two kilobytes of closures and promises for
 * each hook that it calls itself.
 */
function inOnePlugin(plugins: readonly GatewayPlugin[]): GatewayPlugin[] {
  const hooks: Hooks = {
    onRequest: hooksOf(plugins, 'onRequest'),
    onRequestParse: hooksOf(plugins, 'onRequestParse'),
    onParams: hooksOf(plugins, 'onParams'),
    onExecutionResult: hooksOf(plugins, 'onExecutionResult'),
    onResultProcess: hooksOf(plugins, 'onResultProcess'),
    onResponse: hooksOf(plugins, 'onResponse'),
  };
  const all: Required<Pick<GatewayPlugin, keyof Hooks>> = {
    onRequest(given) {
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
      return inTurn(hooks.onRequest, payload, () => isOver);
    },
    onRequestParse: (payload) => inTurn(hooks.onRequestParse, payload),
    onParams(given) {
      const payload: Payload<'onParams'> = {
        ...given,
        setParams(params) {
          payload.params = params;
          given.setParams(params);
        },
      };
      return inTurn(hooks.onParams, payload);
    },
    onExecutionResult: (payload) => inTurn(hooks.onExecutionResult, payload),
    onResultProcess(given) {
      const payload: Payload<'onResultProcess'> = {
        ...given,
        setResult(result) {
          payload.result = result;
          given.setResult(result);
        },
      };
      return inTurn(hooks.onResultProcess, payload);
    },
    onResponse: (payload) => inTurn(hooks.onResponse, payload),
  };
  const used = Object.fromEntries(
    HOOKS.filter((name) => hooks[name].length > 0).map((name) => [name, all[name]]),
  );
  return [used, ...plugins.map(withoutHooks)];
}

function hooksOf<Name extends keyof Hooks>(plugins: readonly GatewayPlugin[], name: Name) {
  return plugins.flatMap((plugin): NonNullable<GatewayPlugin[Name]>[] => {
    const hook = plugin[name];
    return hook ? [hook] : [];
  });
}

function withoutHooks(plugin: GatewayPlugin): GatewayPlugin {
  return Object.fromEntries(Object.entries(plugin).filter(([name]) => !HOOKS.some((hook) => hook === name)));
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
    if (running instanceof Promise)
      return running.then(() => (isOver?.() ? undefined : inTurn(hooks, payload, isOver, index + 1)));
    if (isOver?.()) return undefined;
  }
  return undefined;
}
