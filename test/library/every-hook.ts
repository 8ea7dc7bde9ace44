import type { Plugin } from 'graphql-yoga';

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

export function everyHook(run: (hook: Hook) => void): Plugin {
  return Object.fromEntries(HOOKS.map((hook) => [hook, () => run(hook)]));
}
