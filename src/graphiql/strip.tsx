import { useGraphiQL } from '@graphiql/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ExampleCredentials, GraphiqlSettings } from '../pages/graphiql.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { namesCredential } from './curl.ts';
import { errorText } from './send.ts';
import { askViewer, type Reach, type Session, type SessionState, unknownReach } from './session.ts';
import { otherAdministration } from './tabs.ts';

interface StripProps {
  readonly settings: GraphiqlSettings;
  readonly session: Session;
}

/** The credentials and the administration for all tabs, above the editors. */
export function Strip({ settings, session }: StripProps) {
  const state = useSyncExternalStore(session.subscribe, session.get);
  const reach = useReach(settings.endpoint, session, state);
  const exception = useException(state.administrationId);
  const [isTyping, setTyping] = useState(false);
  const problem = state.lost ?? state.refusal;
  // What is known is about the token before.
  const note = isTyping ? 'Press Enter to use this token.' : (problem ?? exception ?? reach.note);
  const isProblem = !isTyping && (problem !== null || reach.isRefused);
  const give = (credentials: Partial<ExampleCredentials>) =>
    session.set({ ...credentials, refusal: null, lost: null });
  return (
    // GraphiQL defines its colours and fonts for elements of this class.
    <header className="graphiql-container strip">
      <h1>{document.title}</h1>
      <nav>
        <a href="/docs">Docs</a>
      </nav>
      <StripField
        label="Access token"
        secret="the token"
        value={state.token}
        placeholder={settings.credentials.token}
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
          <StripField label="Client id" value={state.clientId} onCommit={(clientId) => give({ clientId })} />
          <StripField
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

/** Asked anew for other credentials, and once the gateway answers again. It replaces an administration out of reach. */
function useReach(endpoint: string, session: Session, state: SessionState): Reach {
  const { token, clientId, clientSecret } = state;
  const isLost = state.lost !== null;
  const [reach, setReach] = useState(unknownReach(''));
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
    ask().catch((error) => isCurrent && session.set({ lost: errorText(error) }));
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
    const other = otherAdministration(variables ?? '', administrationId);
    if (other) return `The variables of this tab name another administration: ${other}.`;
    const literal = otherAdministration((query ?? '').replace(/#.*/g, ''), administrationId);
    return literal && `The query of this tab names another administration: ${literal}.`;
  });
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  /** What a secret is called on its button: it is hidden until the user asks to see it. */
  readonly secret?: string;
  readonly className?: string;
  /** Shown while it is empty. */
  readonly placeholder?: string;
  /** Called as the text changes, and with false once it is committed. */
  readonly onEdit?: (isEdited: boolean) => void;
  readonly onCommit: (value: string) => void;
}

/** Commits when it is cleared or left, or Enter is pressed: half a token must not be sent anywhere. */
function StripField({ label, value, secret, className, placeholder, onEdit, onCommit }: FieldProps) {
  const [text, setText] = useState(value);
  const [isShown, show] = useState(false);
  useEffect(() => setText(value), [value]);
  const commit = (text: string) => {
    onEdit?.(false);
    if (text !== value) onCommit(text);
  };
  const edit = (text: string) => {
    setText(text);
    if (text === '') commit(text);
    else onEdit?.(true);
  };
  const field = (
    <label className={className}>
      {label}
      <input
        type={secret && !isShown ? 'password' : 'text'}
        value={text}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        onChange={(event) => edit(event.target.value)}
        onBlur={() => commit(text)}
        onKeyDown={(event) => event.key === 'Enter' && commit(text)}
      />
    </label>
  );
  if (!secret) return field;
  const verb = isShown ? 'Hide' : 'Show';
  return (
    <span className="secret">
      {field}
      <button type="button" aria-label={`${verb} ${secret}`} onClick={() => show(!isShown)}>
        {verb}
      </button>
    </span>
  );
}

interface AdministrationProps extends Pick<FieldProps, 'value' | 'onCommit'> {
  readonly choices: Reach['administrations'];
}

/** A choice where it is known which there are, else text. */
function AdministrationField({ value, choices, onCommit }: AdministrationProps) {
  if (choices.length === 0)
    return (
      <StripField
        label="Administration"
        value={value}
        className="administration"
        placeholder="Type the id of an administration"
        onCommit={onCommit}
      />
    );
  return (
    <label className="administration">
      Administration
      <select value={value} onChange={(event) => onCommit(event.target.value)}>
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name === null ? id : `${id} ${name}`}
          </option>
        ))}
      </select>
    </label>
  );
}
