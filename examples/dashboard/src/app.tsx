import { useState } from 'react';
import { Dashboard } from './dashboard.tsx';
import { TokenForm } from './token-form.tsx';

interface Properties {
  readonly prefilledToken: string;
}

/** The token lives in memory alone: a reload forgets it, and whatever was read with it goes with the dashboard. */
export function App({ prefilledToken }: Properties) {
  const [token, setToken] = useState<string>();
  const [suggestion, setSuggestion] = useState(prefilledToken);

  function leave(): void {
    setToken(undefined);
    setSuggestion('');
  }

  return token === undefined ? (
    <TokenForm suggestion={suggestion} onToken={setToken} />
  ) : (
    <Dashboard token={token} onLeave={leave} />
  );
}
