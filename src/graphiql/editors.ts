import { pick, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';

export type Editor = NonNullable<ReturnType<typeof useEditors>['queryEditor']>;

/** Smaller than GraphiQL's, and wrapped, so that the examples fit into narrow panes. */
const OPTIONS = {
  fontSize: 13,
  wordWrap: 'on',
  wrappingIndent: 'indent',
  // Letters of other alphabets that look like ASCII are names of people, and no attack.
  unicodeHighlight: { ambiguousCharacters: false },
} as const;

const KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** What stands in an editor as long as it is empty. */
const HINTS = {
  query: `Write a query here, or pick one from “Examples”.

${KEY}+Space suggests what fits. ${KEY}+Enter runs the query.`,
  variables: 'Variables of the query, as JSON: { "first": 10 }',
  headers: 'Headers for this tab alone, as JSON. The access token goes into the box at the top.',
  answer: `The answer shows here.
Press ${KEY}+Enter, or the button beside the query, to run it.`,
};

export function useEditorOptions(): void {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useEditors();
  const isFetching = useGraphiQL((state) => state.isFetching);
  useEffect(() => {
    queryEditor?.updateOptions({ ...OPTIONS, placeholder: HINTS.query });
    variableEditor?.updateOptions({ ...OPTIONS, placeholder: HINTS.variables });
    headerEditor?.updateOptions({ ...OPTIONS, placeholder: HINTS.headers });
    responseEditor?.updateOptions(OPTIONS);
  }, [queryEditor, variableEditor, headerEditor, responseEditor]);
  useEffect(() => {
    responseEditor?.updateOptions({ placeholder: isFetching ? '' : HINTS.answer });
  }, [responseEditor, isFetching]);
}

export function useEditors() {
  return useGraphiQL(pick('queryEditor', 'variableEditor', 'headerEditor', 'responseEditor'));
}

/** Where the keys for a run do that by themselves, or mean something else. */
const OTHER_KEYS = '.monaco-editor, input, select, textarea, [role="menu"], [role="dialog"], [popover]';

/** The keys that run the query in an editor do so anywhere else. */
export function useRunKey(): void {
  const { run } = useGraphiQLActions();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      if (event.target instanceof Element && event.target.closest(OTHER_KEYS)) return;
      // A button that has the focus is not pressed, and a menu not opened.
      event.preventDefault();
      event.stopPropagation();
      run();
    };
    addEventListener('keydown', listen, true);
    return () => removeEventListener('keydown', listen, true);
  }, [run]);
}

/** Unlike `setValue`, this can be undone by the user. */
export function replaceText(editor: Editor, text: string): void {
  const model = editor.getModel();
  if (!model || model.getValue() === text) return;
  editor.pushUndoStop();
  editor.executeEdits('', [{ range: model.getFullModelRange(), text }]);
  editor.pushUndoStop();
}

/** On a narrow window, where the panes stand below each other as in page.css, brings into view what opens below. */
export function scrollOnPhone(element: Element | null): void {
  if (!matchMedia('(max-width: 700px)').matches) return;
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
  element?.scrollIntoView({ block: 'start', behavior });
}

/** On a narrow window the answer is below what one sees, so a run scrolls to it. */
export function useScrollToAnswer(): void {
  const { runs, isFetching } = useGraphiQL(({ queryId, isFetching }) => ({ runs: queryId, isFetching }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: again with the answer, which makes the page longer.
  useEffect(() => {
    if (runs > 0) scrollOnPhone(document.querySelector('.graphiql-response'));
  }, [runs, isFetching]);
}
