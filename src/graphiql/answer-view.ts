import { useEffect, useRef } from 'react';
import { displayedText } from './answer-notes.ts';
import { type Editor, useEditors } from './editors.ts';

/** Shows responses without `extensions.explain`, which the panel below lists, unless it is asked for. */
export function useAnswerView(isExplainShown: boolean): void {
  const { responseEditor } = useEditors();
  const view = useRef<AnswerView>(undefined);
  useEffect(() => {
    if (responseEditor) view.current = createAnswerView(responseEditor);
  }, [responseEditor]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is another one for another editor.
  useEffect(() => view.current?.showExplain(isExplainShown), [responseEditor, isExplainShown]);
}

interface AnswerView {
  showExplain(isShown: boolean): void;
}

/**
 * GraphiQL stores the text of the editor with the tab, and the panel reads it there. So the editor takes and returns
 * whole responses, and only displays less.
 */
function createAnswerView(editor: Editor): AnswerView {
  const display = editor.setValue.bind(editor);
  let response = editor.getValue();
  let isExplainShown = false;
  editor.getValue = () => response;
  editor.setValue = (text) => {
    response = text;
    display(displayedText(text, isExplainShown));
  };
  return {
    showExplain(isShown) {
      if (isShown === isExplainShown) return;
      isExplainShown = isShown;
      editor.setValue(response);
    },
  };
}
