import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';

type State = Parameters<Parameters<typeof useGraphiQL>[0]>[0];
export type Editor = NonNullable<State['queryEditor']>;

/** Smaller than GraphiQL's, and wrapped, so that the examples fit into narrow panes. */
const OPTIONS = { fontSize: 13, wordWrap: 'on', wrappingIndent: 'indent' } as const;

export function useEditorOptions(): void {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useEditors();
  useEffect(() => {
    for (const editor of [queryEditor, variableEditor, headerEditor, responseEditor]) {
      editor?.updateOptions(OPTIONS);
    }
  }, [queryEditor, variableEditor, headerEditor, responseEditor]);
}

export function useEditors() {
  return useGraphiQL(({ queryEditor, variableEditor, headerEditor, responseEditor }) => ({
    queryEditor,
    variableEditor,
    headerEditor,
    responseEditor,
  }));
}

/** Unlike `setValue`, this can be undone by the user. */
export function replaceText(editor: Editor, text: string): void {
  const model = editor.getModel();
  if (!model || model.getValue() === text) return;
  editor.pushUndoStop();
  editor.executeEdits('', [{ range: model.getFullModelRange(), text }]);
  editor.pushUndoStop();
}
