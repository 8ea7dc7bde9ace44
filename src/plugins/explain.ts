import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import type { CallRecord } from '../rest/session.ts';

/** With `X-Explain: true`, an answer lists the REST calls behind it. */
export function useExplain(): Plugin<Context> {
  return {
    onExecute: ({ args: { contextValue } }) => {
      if (!contextValue.explain) return undefined;
      return {
        onExecuteDone({ result, setResult }) {
          if (isAsyncIterable(result)) return;
          const explain = contextValue.rest.calls.map(legible);
          setResult({ ...result, extensions: { ...result.extensions, explain } });
        },
      };
    },
  };
}

/** `fields` as the JSON that it is, rather than as JSON in a string. */
function legible({ call: { method, path, parameters }, ...outcome }: CallRecord) {
  const { fields } = parameters;
  const shown = typeof fields === 'string' ? { ...parameters, fields: JSON.parse(fields) } : parameters;
  return { method, path, parameters: shown, ...outcome };
}
