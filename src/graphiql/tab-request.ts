import { tryParseJSONC, useGraphiQL } from '@graphiql/react';
import { type Editor, useEditors } from './editors.ts';

/** What the active tab would send. */
export interface TabRequest {
  readonly operation: {
    readonly query: string;
    readonly variables: unknown;
    readonly operationName: string | undefined;
  };
  readonly headers: Readonly<Record<string, unknown>>;
  /** Whether the answer is a stream. */
  readonly isSubscription: boolean;
}

/** Returns a function that reads the editors, and throws where they hold no JSON. */
export function useTabRequest(): () => TabRequest {
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  const operationName = useGraphiQL((state) => state.overrideOperationName ?? state.operationName);
  const operations = useGraphiQL((state) => state.operations);
  return () => ({
    operation: {
      query: queryEditor?.getValue() ?? '',
      variables: readObject('Variables', variableEditor),
      operationName,
    },
    headers: readObject('Request headers', headerEditor) ?? {},
    isSubscription:
      operations?.find(({ name }) => name?.value === operationName)?.operation === 'subscription',
  });
}

function readObject(name: string, editor: Editor | undefined): Record<string, unknown> | undefined {
  try {
    return tryParseJSONC(editor?.getValue());
  } catch (error) {
    throw new Error(`${name} ${error instanceof Error ? error.message : error}`);
  }
}
