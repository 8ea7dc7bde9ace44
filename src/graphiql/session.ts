import type { Credentials, GraphiqlSettings } from '../pages/graphiql.ts';
import { isRecord, parseJson } from './json.ts';
import type { PageStorage } from './storage.ts';

/** What the strip above the editors holds, for the requests of all tabs. */
export interface SessionState extends Credentials {
  readonly administrationId: string;
  /** Why a credential was refused last; null once another is given. */
  readonly refusal: string | null;
  /** Why the last request had no answer; null if it had one. */
  readonly lost: string | null;
}

export interface Session {
  get(): SessionState;
  set(change: Partial<SessionState>): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Whether credentials are stored in the browser: only if the user opts in, as for headers. */
  storeCredentials(isAllowed: boolean): void;
}

const ADMINISTRATION = 'graphiql:administrationId';
const CREDENTIALS = 'graphiql:credentials';

/** Version 0.2.0 and earlier named it in each tab, and stored no administration. */
const EARLIER_ADMINISTRATION = '1001';

/** The characters that the gateway accepts in a bearer token. */
const TOKEN = /^[\x21-\x7e]*$/;

export function createSession(settings: GraphiqlSettings, browser: PageStorage): Session {
  const hasEarlierTabs = browser.getItem('graphiql:tabState') !== null;
  let state: SessionState = {
    ...(storedCredentials(browser) ?? settings.credentials),
    administrationId:
      browser.getItem(ADMINISTRATION) ??
      (hasEarlierTabs ? EARLIER_ADMINISTRATION : settings.administrationId),
    refusal: null,
    lost: null,
  };
  let isStoring = browser.getItem(CREDENTIALS) !== null;
  const listeners = new Set<() => void>();

  function store(): void {
    const { token, clientId, clientSecret, administrationId } = state;
    browser.setItem(ADMINISTRATION, administrationId);
    if (isStoring) browser.setItem(CREDENTIALS, JSON.stringify({ token, clientId, clientSecret }));
    else browser.removeItem(CREDENTIALS);
  }

  store();
  return {
    get: () => state,
    set(change) {
      state = {
        ...state,
        ...(change.token === undefined ? change : { ...change, ...readToken(change.token) }),
      };
      store();
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    storeCredentials(isAllowed) {
      isStoring = isAllowed;
      store();
    },
  };
}

/** A token is often pasted with its scheme, or with the line's end. */
function readToken(text: string): Pick<SessionState, 'token' | 'refusal'> {
  const token = text.trim().replace(/^bearer\s+/i, '');
  if (TOKEN.test(token)) return { token, refusal: null };
  return {
    token: '',
    refusal: 'This is no access token: it contains a space or a character that no header can carry.',
  };
}

function storedCredentials(browser: PageStorage): Credentials | undefined {
  const stored = parseJson(browser.getItem(CREDENTIALS) ?? '');
  if (!isRecord(stored)) return undefined;
  const { token, clientId, clientSecret } = stored;
  const isText = [token, clientId, clientSecret].every((value) => typeof value === 'string');
  return isText
    ? { token: String(token), clientId: String(clientId), clientSecret: String(clientSecret) }
    : undefined;
}
