import type { ExampleCredentials, GraphiqlSettings } from '../pages/graphiql.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { adviceOn, errorsIn } from './advice.ts';
import { requestHeaders } from './curl.ts';
import { recordIn, sendForJson, textOrNull, whole } from './send.ts';
import { createStore, type PageStorage } from './storage.ts';

/** What the strip above the editors holds, for the requests of all tabs. */
export interface SessionState extends ExampleCredentials {
  readonly administrationId: string;
  /** Why a credential was refused last; null once another is given. */
  readonly refusal: string | null;
  /** Why the last request had no answer; null if it had one. */
  readonly lost: string | null;
}

export type Session = ReturnType<typeof createBrowserSession>;

const ADMINISTRATION = 'graphiql:administrationId';
const CREDENTIALS = 'graphiql:credentials';

/** Version 0.2.0 and earlier named it in each tab, and stored no administration. */
const EARLIER_ADMINISTRATION = '1001';

/** The characters that the gateway accepts in a bearer token. */
const TOKEN = /^[\x21-\x7e]*$/;

export function createBrowserSession(settings: GraphiqlSettings, browser: PageStorage) {
  const hasEarlierTabs = browser.getItem('graphiql:tabState') !== null;
  const { get, subscribe, put } = createStore<SessionState>({
    ...(storedCredentials(browser) ?? settings.credentials),
    administrationId:
      browser.getItem(ADMINISTRATION) ??
      (hasEarlierTabs ? EARLIER_ADMINISTRATION : settings.administrationId),
    refusal: null,
    lost: null,
  });
  let isStoring = browser.getItem(CREDENTIALS) !== null;

  function keep({ token, clientId, clientSecret, administrationId }: SessionState): void {
    browser.setItem(ADMINISTRATION, administrationId);
    if (isStoring) browser.setItem(CREDENTIALS, JSON.stringify({ token, clientId, clientSecret }));
    else browser.removeItem(CREDENTIALS);
  }

  keep(get());
  return {
    get,
    subscribe,
    set(change: Partial<SessionState>): void {
      const given = change.token === undefined ? {} : readToken(change.token);
      const state = { ...get(), ...change, ...given };
      keep(state);
      put(state);
    },
    /** Credentials are stored in the browser only if the user opts in, as for headers. */
    storeCredentials(isAllowed: boolean): void {
      isStoring = isAllowed;
      keep(get());
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

function storedCredentials(browser: PageStorage): ExampleCredentials | undefined {
  const stored = parseJson(browser.getItem(CREDENTIALS) ?? '');
  if (!isObject(stored)) return undefined;
  const { token, clientId, clientSecret } = stored;
  if (typeof token !== 'string' || typeof clientId !== 'string' || typeof clientSecret !== 'string')
    return undefined;
  return { token, clientId, clientSecret };
}

/** What a token reaches. Without a list of administrations, `note` says why. */
export interface Reach {
  readonly administrations: readonly { readonly id: string; readonly name: string | null }[];
  readonly note: string;
  readonly isRefused: boolean;
}

const QUERY = '{ viewer { company { name } administrations { internalId name } } }';

/** Throws a `NoAnswer` if nothing comes back. */
export async function askViewer(endpoint: string, credentials: ExampleCredentials): Promise<Reach> {
  if (!credentials.token) return unknownReach('Paste an access token into the box: every tab sends it.');
  const headers = requestHeaders(credentials, {});
  const response = await sendForJson({ url: endpoint, headers, operation: { query: QUERY } });
  return readReach(await whole(response.json()));
}

export function readReach(body: unknown): Reach {
  const { viewer } = recordIn(body, 'data');
  if (isObject(viewer)) {
    const { administrations } = viewer;
    const company = textOrNull(recordIn(viewer, 'company').name);
    return {
      administrations: Array.isArray(administrations) ? administrations.flatMap(readAdministration) : [],
      note: company === null ? '' : `Company: ${company}`,
      isRefused: false,
    };
  }
  const [error] = errorsIn(body);
  // Operations do without the list of administrations.
  if (error?.code === 'NOT_CONFIGURED')
    return unknownReach(
      'To choose from a list of administrations, give the client id and secret of the application.',
    );
  const advice = adviceOn(body, false);
  if (advice?.strip) return unknownReach(advice.strip, true);
  return unknownReach(error?.message ?? '');
}

export function unknownReach(note: string, isRefused = false): Reach {
  return { administrations: [], note, isRefused };
}

function readAdministration(value: unknown) {
  if (!isObject(value) || typeof value.internalId !== 'string') return [];
  return [{ id: value.internalId, name: textOrNull(value.name) }];
}
