import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';

/** What to know of an answer, above it: the page's own places are all below. */
export function AnswerAdvice({ text }: { readonly text: string | undefined }) {
  const [pane, setPane] = useState<Element | null>(null);
  useEffect(() => setPane(document.querySelector('.graphiql-response')), []);
  return text && pane && createPortal(<p className="answer-advice">{text}</p>, pane);
}
