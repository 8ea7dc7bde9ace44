import { tryParseJSONC, useGraphiQL } from '@graphiql/react';
import { type Editor, useEditors } from './editors.ts';
import type { OperationText } from './secrets.ts';
import { hasOperation } from './tabs.ts';

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
  const nameIn = useOperationName();
  return () => {
    const query = readQuery(queryEditor);
    return { query, variables: variableEditor?.getValue() ?? '', operationName: nameIn(query) };
  };
}

/** Returns a function that reads the editors, and throws where they hold no query or no JSON. */
export function useTabRequest(): () => TabRequest {
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  const nameIn = useOperationName();
  const operations = useGraphiQL((state) => state.operations);
  return () => {
    const query = readQuery(queryEditor);
    const operationName = nameIn(query);
    return {
      operation: { query, variables: readObject('Variables', variableEditor), operationName },
      headers: readObject('Request headers', headerEditor) ?? {},
      isSubscription:
        operations?.find(({ name }) => name?.value === operationName)?.operation === 'subscription',
    };
  };
}

/** Returns a function that gives the name of the chosen operation, if the query has it. */
function useOperationName(): (query: string) => string | undefined {
  const name = useGraphiQL((state) => state.overrideOperationName ?? state.operationName);
  return (query) => (name && hasOperation(query, name) ? name : undefined);
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
