import { tryParseJSONC, useGraphiQL } from '@graphiql/react';
import { type Editor, useEditors } from './editors.ts';
import type { OperationText } from './secrets.ts';

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

/** Returns a function that reads the text of the editors, and throws where there is no query. */
export function useTabText(): () => OperationText {
  const { queryEditor, variableEditor } = useEditors();
  const operationName = useOperationName();
  return () => ({
    query: readQuery(queryEditor),
    variables: variableEditor?.getValue() ?? '',
    operationName,
  });
}

/** Returns a function that reads the editors, and throws where they hold no query or no JSON. */
export function useTabRequest(): () => TabRequest {
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  const operationName = useOperationName();
  const operations = useGraphiQL((state) => state.operations);
  return () => ({
    operation: {
      query: readQuery(queryEditor),
      variables: readObject('Variables', variableEditor),
      operationName,
    },
    headers: readObject('Request headers', headerEditor) ?? {},
    isSubscription:
      operations?.find(({ name }) => name?.value === operationName)?.operation === 'subscription',
  });
}

function useOperationName(): string | undefined {
  return useGraphiQL((state) => state.overrideOperationName ?? state.operationName);
}

function readQuery(editor: Editor | undefined): string {
  const query = editor?.getValue() ?? '';
  if (!query.trim()) throw new Error('Write a query first.');
  return query;
}

function readObject(name: string, editor: Editor | undefined): Record<string, unknown> | undefined {
  try {
    return tryParseJSONC(editor?.getValue());
  } catch (error) {
    throw new Error(`${name} ${error instanceof Error ? error.message : error}`);
  }
}
