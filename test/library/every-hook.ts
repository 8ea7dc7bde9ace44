import type { Plugin } from 'graphql-yoga';

/** The hooks of Yoga and Envelop, in their order. */
export const HOOKS = [
  'onRequest',
  'onRequestParse',
  'onParams',
  'onEnveloped',
  'onParse',
  'onValidate',
  'onContextBuilding',
  'onExecute',
  'onExecutionResult',
  'onResultProcess',
  'onResponse',
] as const;
export type Hook = (typeof HOOKS)[number];

/** A plugin with a function for every hook. */
export function everyHook(run: (hook: Hook) => void): Plugin {
  return Object.fromEntries(HOOKS.map((hook) => [hook, () => run(hook)]));
}
