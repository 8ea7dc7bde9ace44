import { useGraphiQL } from '@graphiql/react';
import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { notesOf } from './answer-notes.ts';

/** What to do about the errors of an answer, above it: the page's own places are all below. */
export function AnswerAdvice() {
  const response = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response ?? '');
  const { advice } = useMemo(() => notesOf(response), [response]);
  const [pane, setPane] = useState<Element | null>(null);
  useEffect(() => setPane(document.querySelector('.graphiql-response')), []);
  return advice && pane && createPortal(<p className="answer-advice">{advice}</p>, pane);
}
