import { useGraphiQL } from '@graphiql/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Credentials } from '../pages/graphiql.ts';
import { otherAdministration } from './administration.ts';
import { AdministrationField, Field } from './fields.tsx';
import { isRecord, parseJson } from './json.ts';
import { namesCredential } from './request-headers.ts';
import { messageOf } from './send.ts';
import type { Session, SessionState } from './session.ts';
import { askViewer, type Reach } from './viewer.ts';

interface StripProps {
  readonly endpoint: string;
  readonly session: Session;
  /** The token that the page opened with, if the gateway gave one. */
  readonly demoToken: string;
}

/** The credentials and the administration for all tabs, above the editors. */
export function Strip({ endpoint, session, demoToken }: StripProps) {
  const state = useSyncExternalStore(session.subscribe, session.get);
  const reach = useReach(endpoint, session, state);
  const exception = useException(state.administrationId);
  const [isTyping, setTyping] = useState(false);
  const problem = state.lost ?? state.refusal;
  // What is known is about the token before.
  const note = isTyping ? 'Press Enter to use this token.' : (problem ?? exception ?? reach.note);
  const isProblem = !isTyping && (problem !== null || reach.isRefused);
  const give = (credentials: Partial<Credentials>) =>
    session.set({ ...credentials, refusal: null, lost: null });
  return (
    // GraphiQL defines its colours and fonts for elements of this class.
    <header className="graphiql-container strip">
      <h1>{document.title}</h1>
      <nav>
        <a href="/docs">Docs</a>
      </nav>
      <Field
        label="Access token"
        secret="the token"
        value={state.token}
        placeholder={demoToken}
        onEdit={setTyping}
        onCommit={(token) => give({ token })}
      />
      <AdministrationField
        value={state.administrationId}
        choices={reach.administrations}
        onCommit={(administrationId) => session.set({ administrationId, refusal: null })}
      />
      <details>
        <summary>Application</summary>
        <div>
          <Field label="Client id" value={state.clientId} onCommit={(clientId) => give({ clientId })} />
          <Field
            label="Client secret"
            secret="the secret"
            value={state.clientSecret}
            onCommit={(clientSecret) => give({ clientSecret })}
          />
        </div>
      </details>
      <p role="status" className={isProblem ? 'refused' : undefined}>
        {note}
      </p>
    </header>
  );
}

/**
 * Asked anew for other credentials, and once the gateway answers again. An administration that the token does not reach
 * gives way to one that it does.
 */
function useReach(endpoint: string, session: Session, state: SessionState): Reach {
  const { token, clientId, clientSecret } = state;
  const isLost = state.lost !== null;
  const [reach, setReach] = useState<Reach>({ administrations: [], note: '', isRefused: false });
  useEffect(() => {
    if (isLost) return;
    let isCurrent = true;
    setReach(({ administrations }) => ({ administrations, note: '', isRefused: false }));
    const ask = async () => {
      const answer = await askViewer(endpoint, { token, clientId, clientSecret });
      if (!isCurrent) return;
      setReach(answer);
      const [first] = answer.administrations;
      const isReached = answer.administrations.some(({ id }) => id === session.get().administrationId);
      if (first && !isReached) session.set({ administrationId: first.id });
    };
    ask().catch((error) => isCurrent && session.set({ lost: messageOf(error) }));
    return () => {
      isCurrent = false;
    };
  }, [endpoint, session, token, clientId, clientSecret, isLost]);
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
