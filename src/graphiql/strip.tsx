import { useGraphiQL } from '@graphiql/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ExampleCredentials } from '../pages/graphiql.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { namesCredential } from './headers.ts';
import { errorText } from './send.ts';
import {
  askViewer,
  type PageProps,
  type Reach,
  type Session,
  type SessionState,
  unknownReach,
} from './session.ts';
import { StripField } from './strip-field.tsx';
import { otherAdministration } from './tabs.ts';

/** The credentials and the administration for all tabs, above the editors. */
export function Strip({ settings, session }: PageProps) {
  const state = useSyncExternalStore(session.subscribe, session.get);
  const reach = useReach(settings.endpoint, session, state);
  const exception = useException(state.administrationId);
  const problem = state.lost ?? state.refusal;
  const isProblem = problem !== null || reach.isRefused;
  const give = (credentials: Partial<ExampleCredentials>) =>
    session.set({ ...credentials, refusal: null, lost: null });
  return (
    // GraphiQL defines its colours and fonts for elements of this class.
    <header className="graphiql-container strip">
      <h1>{document.title}</h1>
      <nav>
        <a href="/docs">Docs</a>
      </nav>
      <p role="status" className={isProblem ? 'failed' : undefined}>
        {problem ?? exception ?? reach.note}
      </p>
      <StripField
        label="Access token"
        isSecret={true}
        value={state.token}
        placeholder={settings.credentials.token}
        onCommit={(token) => give({ token })}
      />
      <StripField
        label="Administration"
        value={state.administrationId}
        placeholder="Type its id"
        choices={reach.administrations}
        onCommit={(administrationId) => session.set({ administrationId, refusal: null })}
      />
      <details>
        <summary>Application</summary>
        <div>
          <StripField label="Client id" value={state.clientId} onCommit={(clientId) => give({ clientId })} />
          <StripField
            label="Client secret"
            isSecret={true}
            value={state.clientSecret}
            onCommit={(clientSecret) => give({ clientSecret })}
          />
        </div>
      </details>
    </header>
  );
}

/** Asked anew for other credentials, and once the gateway answers again. It replaces an administration out of reach. */
function useReach(endpoint: string, session: Session, state: SessionState): Reach {
  const { token, clientId, clientSecret } = state;
  const isLost = state.lost !== null;
  const [reach, setReach] = useState(unknownReach(''));
  useEffect(() => {
    if (isLost) return;
    let isCurrent = true;
    askViewer(endpoint, { token, clientId, clientSecret }).then(
      (answer) => {
        if (!isCurrent) return;
        setReach(answer);
        const ids = answer.administrations.map(({ internalId }) => internalId);
        if (ids[0] && !ids.includes(session.get().administrationId))
          session.set({ administrationId: ids[0] });
      },
      (error) => isCurrent && session.set({ lost: errorText(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [endpoint, session, token, clientId, clientSecret, isLost]);
  return reach;
}

/** What the active tab names of its own, in place of what the strip holds. */
function useException(administrationId: string): string | undefined {
  return useGraphiQL(({ tabs, activeTabIndex }) => {
    const { query, variables, headers } = tabs[activeTabIndex] ?? {};
    const own = parseJson(headers ?? '');
    if (isObject(own) && namesCredential(own))
      return 'The headers of this tab name a credential of their own.';
    const other = otherAdministration(query ?? '', variables ?? '', administrationId);
    return other && `This tab names another administration: ${other}.`;
  });
}
