import type { ExampleCredentials, GraphiqlSettings } from '../pages/graphiql.ts';
import { isObject } from '../rest/json.ts';
import { getAdvice } from './advice.ts';
import { buildRequestHeaders } from './headers.ts';
import { RequestFailure, readResult, send } from './send.ts';
import type { PageStorage } from './storage.ts';

/** What the strip above the editors holds, for the requests of all tabs. */
export interface SessionState extends ExampleCredentials {
  readonly administrationId: string;
  /** Why a credential was refused last; null once another is given. */
  readonly credentialError: string | null;
  /** Why the last request had no answer; null if it had one. */
  readonly connectionError: string | null;
}

export type Session = ReturnType<typeof createBrowserSession>;

export interface PageProps {
  readonly settings: GraphiqlSettings;
  readonly session: Session;
}

const ADMINISTRATION = 'graphiql:administrationId';
const CREDENTIALS = 'graphiql:credentials';
/** GraphiQL's own switch. Another window may turn it, or clear all. */
const MAY_STORE = 'graphiql:shouldPersistHeaders';

export function createBrowserSession(settings: GraphiqlSettings, browser: PageStorage) {
  const listeners = new Set<() => void>();
  const mayStore = () => browser.getItem(MAY_STORE) === 'true';
  const stored = mayStore() ? browser.getItem(CREDENTIALS) : null;
  const credentials: ExampleCredentials = stored === null ? settings.credentials : JSON.parse(stored);
  let state: SessionState = {
    ...credentials,
    administrationId: browser.getItem(ADMINISTRATION) ?? settings.administrationId,
    credentialError: null,
    connectionError: null,
  };

  /** Credentials are stored in the browser only if the user opts in, as for headers. */
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
      state = { ...state, ...change, ...(change.token !== undefined && readToken(change.token)) };
      // What an answer tells is none of these: it must not undo what another window has stored.
      const { credentialError, connectionError, ...given } = change;
      if (Object.keys(given).length > 0) store();
      for (const listener of listeners) listener();
    },
    store,
  };
}

/** A token is often pasted with its scheme, or with the line's end. */
function readToken(text: string): Pick<SessionState, 'token' | 'credentialError'> {
  const token = text.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '');
  // The characters that the gateway accepts.
  if (/^[\x21-\x7e]*$/.test(token)) return { token, credentialError: null };
  return {
    token: '',
    credentialError: 'This is no access token: it contains a space or a character that no header can carry.',
  };
}

/** What a token reaches. Without a list of administrations, `note` says why. */
export interface TokenAccess {
  readonly administrations: readonly { readonly internalId: string; readonly name: string | null }[];
  readonly note: string;
  readonly isRefused: boolean;
}

interface Viewer extends Pick<TokenAccess, 'administrations'> {
  readonly company: { readonly name: string | null } | null;
}

const QUERY = '{ viewer { company { name } administrations { internalId name } } }';

/** Throws a `NoAnswer` if nothing comes back, or the REST service fails: it is asked again then. */
export async function fetchTokenAccess(url: string, credentials: ExampleCredentials): Promise<TokenAccess> {
  if (!credentials.token) return noAdministrations('Paste an access token into the box: every tab sends it.');
  const headers = buildRequestHeaders(credentials, {});
  const answer = await readResult(await send({ url, headers, operation: { query: QUERY } }));
  const { data, errors: [error] = [] } = answer;
  if (hasViewer(data)) {
    const { company, administrations } = data.viewer;
    return { administrations, note: company?.name ? `Company: ${company.name}` : '', isRefused: false };
  }
  // Operations do without the list of administrations.
  if (error?.extensions?.code === 'NOT_CONFIGURED')
    return noAdministrations('To choose from a list of administrations, open “Application” and fill it in.');
  if (error?.extensions?.code?.startsWith('UPSTREAM_')) throw new RequestFailure(error.message);
  const strip = getAdvice(answer, false)?.summary;
  return strip ? noAdministrations(strip, true) : noAdministrations(error?.message ?? '');
}

function hasViewer(data: unknown): data is { readonly viewer: Viewer } {
  return isObject(data) && isObject(data.viewer);
}

export function noAdministrations(note: string, isRefused = false): TokenAccess {
  return { administrations: [], note, isRefused };
}
