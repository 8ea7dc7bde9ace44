import { useGraphiQL } from '@graphiql/react';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import type { ExampleCredentials } from '../pages/graphiql.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { namesCredential } from './headers.ts';
import { getErrorText } from './send.ts';
import { fetchTokenAccess, type PageProps, type SessionState, type TokenAccess } from './session.ts';
import { describeOtherAdministrations } from './tabs.ts';

/** The credentials and the administration for all tabs, above the editors. */
export function CredentialBar(page: PageProps) {
  const { settings, session } = page;
  const state = useSyncExternalStore(session.subscribe, session.get);
  const access = useTokenAccess(page, state);
  const override = useTabOverride(state.administrationId);
  const problem = state.connectionError ?? state.credentialError;
  const isProblem = problem !== null || access.isRejected === true;
  const setCredentials = (credentials: Partial<ExampleCredentials>) =>
    session.set({ ...credentials, credentialError: null, connectionError: null });
  return (
    // GraphiQL defines its colours and fonts for elements of this class.
    <header className="graphiql-container credential-bar">
      <h1>{document.title}</h1>
      <nav>
        <a href="/docs">Docs</a> <a href="/docs/glossary">Glossary</a>
      </nav>
      <p role="status" className={isProblem ? 'failed' : undefined}>
        {problem ?? override ?? access.note}
      </p>
      <BarField
        label="Access token"
        type="password"
        value={state.token}
        placeholder={settings.credentials.token}
        onCommit={(token) => setCredentials({ token })}
      />
      <BarField
        label="Administration"
        value={state.administrationId}
        placeholder="Type its id"
        choices={access.administrations ?? []}
        onCommit={(administrationId) => session.set({ administrationId, credentialError: null })}
      />
      <details>
        <summary>Application</summary>
        <div>
          <BarField
            label="Client id"
            value={state.clientId}
            onCommit={(clientId) => setCredentials({ clientId })}
          />
          <BarField
            label="Client secret"
            type="password"
            value={state.clientSecret}
            onCommit={(clientSecret) => setCredentials({ clientSecret })}
          />
        </div>
      </details>
    </header>
  );
}

/** Asks again after credentials change or the gateway is back. Replaces an administration that the token cannot read. */
function useTokenAccess({ settings: { endpoint }, session }: PageProps, state: SessionState): TokenAccess {
  const { token, clientId, clientSecret } = state;
  const isDisconnected = state.connectionError !== null;
  const [access, setAccess] = useState<TokenAccess>({ note: '' });
  useEffect(() => {
    if (isDisconnected) return;
    let isCurrent = true;
    fetchTokenAccess(endpoint, { token, clientId, clientSecret }).then(
      (fetched) => {
        if (!isCurrent) return;
        setAccess(fetched);
        const ids = (fetched.administrations ?? []).map(({ internalId }) => internalId);
        if (ids[0] && !ids.includes(session.get().administrationId))
          session.set({ administrationId: ids[0], credentialError: null });
      },
      (error) => isCurrent && session.set({ connectionError: getErrorText(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [endpoint, session, token, clientId, clientSecret, isDisconnected]);
  return access;
}

/** Describes how the active tab overrides the bar; undefined if it does not. */
function useTabOverride(administrationId: string): string | undefined {
  return useGraphiQL(({ tabs, activeTabIndex }) => {
    const { query, variables, headers } = tabs[activeTabIndex] ?? {};
    const tabHeaders = parseJson(headers ?? '');
    if (isObject(tabHeaders) && namesCredential(tabHeaders))
      return 'The headers of this tab override the credentials above.';
    const others = describeOtherAdministrations(query ?? '', parseJson(variables ?? ''), administrationId);
    return others && `This tab names ${others}.`;
  });
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'password';
  readonly placeholder?: string;
  /** The values to choose from, if the page knows them. */
  readonly choices?: TokenAccess['administrations'];
  readonly onCommit: (value: string) => void;
}

/** Commits on Enter, when it loses the focus or is cleared, so that no half-typed token is sent. */
function BarField({ label, value, choices = [], onCommit, ...props }: FieldProps) {
  const [typed, setTyped] = useState<string>();
  const id = useId();
  const commit = (text = value) => {
    setTyped(undefined);
    if (text.trim() !== value) onCommit(text.trim());
  };
  return (
    <label htmlFor={id}>
      {label}
      {choices.length > 0 ? (
        <select id={id} value={value} onChange={(event) => commit(event.target.value)}>
          {choices.map(({ internalId, name }) => (
            <option key={internalId} value={internalId}>
              {internalId} {name}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...props}
          id={id}
          value={typed ?? value}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => (target.value ? setTyped(target.value) : commit(''))}
          onBlur={() => commit(typed)}
          onKeyDown={(event) => event.key === 'Enter' && commit(typed)}
        />
      )}
    </label>
  );
}
