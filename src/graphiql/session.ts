import type { ExampleCredentials, GraphiqlSettings } from '../pages/graphiql.ts';
import { isObject } from '../rest/json.ts';
import { findAdvice } from './advice.ts';
import { buildRequestHeaders } from './headers.ts';
import { RequestFailure, readResult, send } from './send.ts';
import type { PageStorage } from './storage.ts';

/** The values of the credential bar, for the requests of all tabs. */
export interface SessionState extends ExampleCredentials {
  readonly administrationId: string;
  /** Why the last credential was rejected; null once it is replaced. */
  readonly credentialError: string | null;
  /** Why the last request had no response; null if it had one. */
  readonly connectionError: string | null;
}

export type Session = ReturnType<typeof createBrowserSession>;

export interface PageProps {
  readonly settings: GraphiqlSettings;
  readonly session: Session;
}

const ADMINISTRATION = 'graphiql:administrationId';
const CREDENTIALS = 'graphiql:credentials';
/** The key of GraphiQL's own switch. Another window may change it, or clear the storage. */
const MAY_STORE = 'graphiql:shouldPersistHeaders';

export function createBrowserSession(settings: GraphiqlSettings, browser: PageStorage) {
  const listeners = new Set<() => void>();
  if (browser.getItem(MAY_STORE) === null) browser.setItem(MAY_STORE, 'false');
  const mayStore = () => browser.getItem(MAY_STORE) === 'true';
  const stored = mayStore() ? browser.getItem(CREDENTIALS) : null;
  const credentials: ExampleCredentials = stored === null ? settings.credentials : JSON.parse(stored);
  let state: SessionState = {
    ...credentials,
    administrationId: browser.getItem(ADMINISTRATION) ?? settings.administrationId,
    credentialError: null,
    connectionError: null,
  };

  /** Stores credentials in the browser only if the user opts in, as for headers. */
  function store(): void {
    const { token, clientId, clientSecret, administrationId } = state;
    browser.setItem(ADMINISTRATION, administrationId);
    if (mayStore()) browser.setItem(CREDENTIALS, JSON.stringify({ token, clientId, clientSecret }));
    else browser.removeItem(CREDENTIALS);
  }

  return {
    get: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(change: Partial<SessionState>): void {
      state = { ...state, ...change, ...(change.token !== undefined && parseToken(change.token)) };
      // An error is not stored: storing the rest again would undo what another window has stored.
      const { credentialError, connectionError, ...values } = change;
      if (Object.keys(values).length > 0) store();
      for (const listener of listeners) listener();
    },
    store,
  };
}

/** Removes the scheme and the line break that users often paste with a token. */
function parseToken(text: string): Pick<SessionState, 'token' | 'credentialError'> {
  const token = text.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '');
  // The gateway accepts these characters only.
  if (/^[\x21-\x7e]*$/.test(token)) return { token, credentialError: null };
  return {
    token: '',
    credentialError:
      'This is not an access token: it contains a space or a character that headers cannot contain.',
  };
}

/** The administrations that a token gives access to. If there are none, `note` says why. */
export interface TokenAccess {
  readonly administrations?:
    | readonly { readonly internalId: string; readonly name: string | null }[]
    | undefined;
  readonly note: string;
  readonly isRejected?: boolean;
}

interface Viewer extends Pick<TokenAccess, 'administrations'> {
  readonly company: { readonly name: string | null } | null;
}

const QUERY = '{ viewer { company { name } administrations { internalId name } } }';

/** Throws a `RequestFailure` if there is no response or the REST service fails, so that the page asks again. */
export async function fetchTokenAccess(url: string, credentials: ExampleCredentials): Promise<TokenAccess> {
  if (!credentials.token) return { note: 'Paste an access token into the box: every tab sends it.' };
  const headers = buildRequestHeaders(credentials, {});
  const result = await readResult(await send({ url, headers, operation: { query: QUERY } }));
  const { data, errors: [error] = [] } = result;
  if (hasViewer(data)) {
    const { company, administrations } = data.viewer;
    return { administrations, note: company?.name ? `Company: ${company.name}` : '' };
  }
  // Operations work without the list of administrations.
  if (error?.extensions?.code === 'NOT_CONFIGURED')
    return { note: 'To choose from a list of administrations, open “Application” and fill it in.' };
  if (error?.extensions?.code?.startsWith('UPSTREAM_')) throw new RequestFailure(error.message);
  const summary = findAdvice(result, 'bar')?.summary;
  return summary ? { note: summary, isRejected: true } : { note: error?.message ?? '' };
}

function hasViewer(data: unknown): data is { readonly viewer: Viewer } {
  return isObject(data) && isObject(data.viewer);
}
