import { pick, useGraphiQL } from '@graphiql/react';
import { useEffect, useEffectEvent } from 'react';
import { formatResult } from './result.ts';

export type Editor = NonNullable<ReturnType<typeof useEditors>['queryEditor']>;

/** Smaller than GraphiQL's, without a font to load, and wrapped, so that the examples fit into narrow panes. */
const OPTIONS = {
  fontSize: 13,
  fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace',
  wordWrap: 'on',
  wrappingIndent: 'indent',
  // Letters of other alphabets that look like ASCII are names of people, and no attack.
  unicodeHighlight: { ambiguousCharacters: false },
} as const;

const KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

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
    responseEditor?.updateOptions({ ...OPTIONS, placeholder: isFetching ? '' : HINTS.answer });
  }, [queryEditor, variableEditor, headerEditor, responseEditor, isFetching]);
}

export function useEditors() {
  return useGraphiQL(pick('queryEditor', 'variableEditor', 'headerEditor', 'responseEditor'));
}

/** Whether the editors have loaded: a tab that is opened before would be empty, and take the text of the active one. */
export function useIsReady(): boolean {
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  return Boolean(queryEditor && variableEditor && headerEditor);
}

/** On a narrow window, where the panes stand below each other, a run scrolls to the answer. */
export function useScrollToAnswer(): void {
  const isFetching = useGraphiQL((state) => state.isFetching);
  useEffect(() => {
    const isNarrow = matchMedia('(max-width: 700px)').matches;
    if (isFetching && isNarrow) document.querySelector('.graphiql-response')?.scrollIntoView();
  }, [isFetching]);
}

/** GraphiQL stores the editor's text with the tab, from where it is read: so the editor only displays less of it. */
export function useResponseView(isRawShown: boolean): void {
  const { responseEditor } = useEditors();
  const shownText = useEffectEvent((text: string) => formatResult(text, isRawShown));
  useEffect(() => {
    if (!responseEditor) return;
    const display = responseEditor.setValue.bind(responseEditor);
    let response = responseEditor.getValue();
    responseEditor.getValue = () => response;
    responseEditor.setValue = (text) => {
      response = text;
      display(shownText(text));
    };
  }, [responseEditor]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same answer, shown the other way.
  useEffect(() => responseEditor?.setValue(responseEditor.getValue()), [responseEditor, isRawShown]);
}
