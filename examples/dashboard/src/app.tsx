import { useCallback, useReducer, useRef, useState } from 'react';
import { Dashboard } from './dashboard.tsx';
import { TokenForm } from './token-form.tsx';

interface Properties {
  readonly prefilledToken: string;
}

/** Keeps the token in memory only: a reload forgets it. The dashboard unmounts together with its data. */
export function App({ prefilledToken }: Properties) {
  const token = useRef('');
  const [isOpen, setOpen] = useState(false);
  const [renewals, countRenewal] = useReducer((count: number) => count + 1, 0);
  const [suggestion, setSuggestion] = useState(prefilledToken);
  const readToken = useCallback(() => token.current, []);

  /** Replaces the token for the same administration and keeps everything else. */
  function replaceToken(accessToken: string): void {
    token.current = accessToken;
    countRenewal();
    setOpen(true);
  }

  function leave(): void {
    token.current = '';
    setOpen(false);
    setSuggestion('');
  }

  return isOpen ? (
    <Dashboard token={readToken} renewals={renewals} onToken={replaceToken} onLeave={leave} />
  ) : (
    <TokenForm suggestion={suggestion} onToken={replaceToken} />
  );
}
