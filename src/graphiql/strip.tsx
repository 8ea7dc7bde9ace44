import { useGraphiQL } from '@graphiql/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { otherAdministration } from './administration.ts';
import { AdministrationField, Field } from './fields.tsx';
import { isRecord, parseJson } from './json.ts';
import { namesCredential } from './request-headers.ts';
import type { Session, SessionState } from './session.ts';
import { askViewer, type Reach } from './viewer.ts';

interface StripProps {
  readonly endpoint: string;
  readonly session: Session;
}

/** The credentials and the administration for all tabs, above the editors. */
export function Strip({ endpoint, session }: StripProps) {
  const state = useSyncExternalStore(session.subscribe, session.get);
  const reach = useReach(endpoint, session, state);
  const exception = useException(state.administrationId);
  const isRefused = state.refusal !== null || reach.isRefused;
  return (
    // GraphiQL defines its colours and fonts for elements of this class.
    <header className="graphiql-container strip">
      <h1>{document.title}</h1>
      <nav>
        <a href="/docs">Docs</a>
      </nav>
      <Field
        label="Access token"
        type="password"
        value={state.token}
        onCommit={(token) => session.set({ token })}
      />
      <AdministrationField
        value={state.administrationId}
        choices={reach.administrations}
        onCommit={(administrationId) => session.set({ administrationId })}
      />
      <details>
        <summary>Application</summary>
        <div>
          <Field
            label="Client id"
            value={state.clientId}
            onCommit={(clientId) => session.set({ clientId, refusal: null })}
          />
          <Field
            label="Client secret"
            type="password"
            value={state.clientSecret}
            onCommit={(clientSecret) => session.set({ clientSecret, refusal: null })}
          />
        </div>
      </details>
      <p role="status" className={isRefused ? 'refused' : undefined}>
        {state.refusal ?? exception ?? reach.note}
      </p>
      {state.timing !== null && (
        <p className="timing" title="What the header Server-Timing of the last answer says">
          {state.timing}
        </p>
      )}
    </header>
  );
}

/** Asked anew for other credentials. An administration that the token does not reach gives way to one that it does. */
function useReach(
  endpoint: string,
  session: Session,
  { token, clientId, clientSecret }: SessionState,
): Reach {
  const [reach, setReach] = useState<Reach>({ administrations: [], note: '', isRefused: false });
  useEffect(() => {
    let isCurrent = true;
    void askViewer(endpoint, { token, clientId, clientSecret }).then((answer) => {
      if (!isCurrent) return;
      setReach(answer);
      const [first] = answer.administrations;
      const isReached = answer.administrations.some(({ id }) => id === session.get().administrationId);
      if (first && !isReached) session.set({ administrationId: first.id });
    });
    return () => {
      isCurrent = false;
    };
  }, [endpoint, session, token, clientId, clientSecret]);
  return reach;
}

/** What the active tab names of its own, in place of what the strip holds. */
function useException(administrationId: string): string | undefined {
  return useGraphiQL(({ tabs, activeTabIndex }) => {
    const { variables, headers } = tabs[activeTabIndex] ?? {};
    const own = parseJson(headers ?? '');
    if (isRecord(own) && namesCredential(own))
      return 'The headers of this tab name a credential of their own.';
    const other = otherAdministration(variables ?? '', administrationId);
    return other && `The variables of this tab name another administration: ${other}.`;
  });
}
