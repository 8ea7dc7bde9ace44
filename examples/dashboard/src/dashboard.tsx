import { useReducer, useState } from 'react';
import { AdministrationChoice } from './administration-choice.tsx';
import { Debtors } from './debtors.tsx';
import { Failure } from './failure.tsx';
import type { Connection } from './gateway.ts';
import { EVERYTHING } from './question.ts';
import { useAdministrations } from './use-administrations.ts';

interface Properties extends Pick<Connection, 'token' | 'renewals'> {
  /** Continues with another token. */
  onToken(token: string): void;
  /** Discards everything, to start with another token. */
  onLeave(): void;
}

/** The gateway cannot tell whether a token is wrong, has expired, or belongs to another application. */
const WRONG_TOKEN = 'Check whether it is complete and has not expired.';
const OTHER_APPLICATION = 'If it belongs to another application, enter the id of an administration above.';

export function Dashboard({ token, renewals, onToken, onLeave }: Properties) {
  const { administrations, error, load } = useAdministrations(token, renewals);
  const [chosen, setChosen] = useState<string>();
  const [question, ask] = useState(EVERYTHING);
  const [reloads, reload] = useReducer((count: number) => count + 1, 0);
  const administrationId = chosen ?? administrations?.[0]?.internalId;
  const canChoose = administrationId !== undefined || error;

  function choose(id: string): void {
    setChosen(id);
    ask(EVERYTHING);
  }

  return (
    <>
      <header>
        <h1>Open amounts</h1>
        {canChoose && (
          <AdministrationChoice
            administrations={administrations}
            chosen={administrationId}
            onChoose={choose}
          />
        )}
        {administrationId !== undefined && (
          <button type="button" className="quiet" onClick={reload}>
            Reload
          </button>
        )}
        <button type="button" className="quiet leave" onClick={onLeave}>
          Use another token
        </button>
      </header>
      {administrationId !== undefined ? (
        // Each administration and each reload starts empty.
        <Debtors
          key={`${reloads} ${administrationId}`}
          connection={{ administrationId, token, renewals }}
          question={question}
          onAsk={ask}
          onToken={onToken}
          onReload={reload}
        />
      ) : (
        <main>
          {error && (
            <Failure
              title={error.isRefusal ? undefined : 'The administrations of this token cannot be listed'}
              error={error}
              explanation={error.code === 'UNAUTHENTICATED' ? WRONG_TOKEN : undefined}
              advice={error.isRefusal ? OTHER_APPLICATION : 'Enter the id of an administration above.'}
              startsInForm
              onRetry={load}
              onToken={onToken}
            />
          )}
          {administrations && <p className="notice">This access token has access to no administration.</p>}
          {!administrations && !error && <p role="status">Loading administrations…</p>}
        </main>
      )}
    </>
  );
}
