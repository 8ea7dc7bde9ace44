import { useReducer, useState } from 'react';
import { AdministrationChoice } from './administration-choice.tsx';
import { Debtors } from './debtors.tsx';
import { Failure } from './failure.tsx';
import { EVERYTHING } from './question.ts';
import { useAdministrations } from './use-administrations.ts';

interface Properties {
  readonly token: () => string;
  /** To go on with another token. */
  onToken(token: string): void;
  /** To forget everything, and use another token. */
  onLeave(): void;
}

export function Dashboard({ token, onToken, onLeave }: Properties) {
  const { administrations, error, load } = useAdministrations(token);
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
        // Each administration, and each reload, starts from nothing.
        <Debtors
          key={`${reloads} ${administrationId}`}
          connection={{ administrationId, token }}
          question={question}
          onAsk={ask}
          onToken={onToken}
          onReload={reload}
          onLeave={onLeave}
        />
      ) : (
        <main>
          {error && (
            <Failure
              title="The administrations of this token cannot be listed"
              error={error}
              advice="Type the id of an administration above, if you know one."
              onRetry={load}
              onLeave={onLeave}
            />
          )}
          {administrations && <p className="notice">This access token reaches no administration.</p>}
          {!administrations && !error && <p role="status">Loading administrations…</p>}
        </main>
      )}
    </>
  );
}
