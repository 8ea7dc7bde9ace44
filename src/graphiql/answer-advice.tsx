import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Session } from './session.ts';
import { useAnswer } from './tab-hooks.ts';

/** What to do about the errors or the age of an answer, above it: the page's own places are all below. */
export function AnswerAdvice({ session }: { readonly session: Session }) {
  const { notes, otherId } = useAnswer(session);
  const text = otherId === undefined ? notes?.advice : `This answer is of administration ${otherId}.`;
  const [pane, setPane] = useState<Element | null>(null);
  useEffect(() => setPane(document.querySelector('.graphiql-response')), []);
  return text && pane && createPortal(<p className="answer-advice">{text}</p>, pane);
}
