import type { Plugin } from 'graphql-yoga';

/** Of Yoga and Envelop, in their order. */
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
  return {
    onRequest: () => run('onRequest'),
    onRequestParse: () => run('onRequestParse'),
    onParams: () => run('onParams'),
    onEnveloped: () => run('onEnveloped'),
    onParse: () => run('onParse'),
    onValidate: () => run('onValidate'),
    onContextBuilding: () => run('onContextBuilding'),
    onExecute: () => run('onExecute'),
    onExecutionResult: () => run('onExecutionResult'),
    onResultProcess: () => run('onResultProcess'),
    onResponse: () => run('onResponse'),
  };
}
