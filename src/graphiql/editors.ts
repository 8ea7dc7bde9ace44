import { pick, Range, useGraphiQL, useGraphiQLActions, useMonaco } from '@graphiql/react';
import { useEffect } from 'react';
import { formatResult } from './result.ts';

export type Editor = NonNullable<ReturnType<typeof useEditors>['queryEditor']>;

/** A smaller, wrapped system font, so that the examples fit into narrow panes. */
const OPTIONS = {
  fontSize: 13,
  fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace',
  wordWrap: 'on',
  wrappingIndent: 'indent',
  // Names of people may contain letters that look like ASCII.
  unicodeHighlight: { ambiguousCharacters: false },
} as const;

const KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';
const SYSTEM_THEME = matchMedia('(prefers-color-scheme: dark)');

const HINTS = {
  query: `Write a query here, choose one from “Examples”, or build one with “Fields” on the left.

${KEY}+Space completes names. ${KEY}+Enter runs the query.`,
  variables: 'Variables of the query, as JSON: { "first": 10 }',
  headers: 'Headers for this tab only, as JSON. The access token goes into the box at the top.',
  response: `The response appears here.
Press ${KEY}+Enter, or the button beside the query, to run it.`,
  fetching: 'Waiting for the response…',
  listening: 'Listening … Events appear here, the newest first.',
};

export function useEditorOptions(): void {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useEditors();
  const { isFetching, theme } = useGraphiQL(pick('isFetching', 'theme'));
  const { setTheme } = useGraphiQLActions();
  const monaco = useMonaco((state) => state.monacoGraphQL);
  // Completes a field with its required arguments and braces.
  useEffect(() => monaco?.setCompletionSettings({ __experimental__fillLeafsOnComplete: true }), [monaco]);
  // GraphiQL asks for the system's theme only when it sets a theme.
  useEffect(() => {
    SYSTEM_THEME.onchange = () => setTheme(theme);
  }, [theme, setTheme]);
  useEffect(() => {
    const isStream = /^\s*subscription\b/m.test(queryEditor?.getValue() ?? '');
    const waiting = isStream ? HINTS.listening : HINTS.fetching;
    queryEditor?.updateOptions({ ...OPTIONS, placeholder: HINTS.query });
    variableEditor?.updateOptions({ ...OPTIONS, placeholder: HINTS.variables });
    headerEditor?.updateOptions({ ...OPTIONS, placeholder: HINTS.headers });
    responseEditor?.updateOptions({ ...OPTIONS, placeholder: isFetching ? waiting : HINTS.response });
  }, [queryEditor, variableEditor, headerEditor, responseEditor, isFetching]);
}

export function useEditors() {
  return useGraphiQL(pick('queryEditor', 'variableEditor', 'headerEditor', 'responseEditor'));
}

/** Returns whether the editors have loaded. A tab opened earlier would be empty, and take the text of the active one. */
export function useIsReady(): boolean {
  return Object.values(useEditors()).every(Boolean);
}

/** Replaces what differs, so that the user can undo it and the cursor stays. */
export function replaceText(editor: Editor | undefined, text: string): void {
  const model = editor?.getModel();
  if (!model) return;
  const old = model.getValue();
  const max = Math.min(old.length, text.length);
  let start = 0;
  while (start < max && old[start] === text[start]) start += 1;
  let rest = 0;
  while (rest < max - start && old.at(-1 - rest) === text.at(-1 - rest)) rest += 1;
  const range = Range.fromPositions(model.getPositionAt(start), model.getPositionAt(old.length - rest));
  editor?.pushUndoStop();
  editor?.executeEdits('page', [{ range, text: text.slice(start, text.length - rest) }]);
  editor?.pushUndoStop();
}

/** Hides extensions in the response editor only: GraphiQL reads and stores the full text through the editor. */
export function useResponseView(): void {
  const { responseEditor } = useEditors();
  useEffect(() => {
    if (!responseEditor) return;
    const display = responseEditor.setValue.bind(responseEditor);
    let response = responseEditor.getValue();
    responseEditor.getValue = () => response;
    responseEditor.setValue = (text) => {
      response = text;
      display(formatResult(text));
    };
  }, [responseEditor]);
}
