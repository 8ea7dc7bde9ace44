import { Compression } from '../http/compression.ts';
import { RequestError } from '../http/errors.ts';
import { JSON_TYPE, prefersHtml, RESPONSE_JSON } from '../http/negotiation.ts';
import { isRead, pathOf, policy, READ_ONLY, type Route } from './route.ts';
import { readFolder } from './static-page.ts';

export interface GraphiqlSettings {
  readonly endpoint: string;
  readonly credentials: ExampleCredentials;
  /** The administration that the variables of the examples name. */
  readonly administrationId: string;
  readonly tabs: readonly ExampleTab[];
}

/** What operations are sent with; empty text where nothing is given. */
export interface ExampleCredentials {
  readonly token: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ExampleTab {
  /** The tab is named after its operation. */
  readonly query: string;
  readonly variables: string | null;
}

const ASSETS = '/graphiql/assets/';

const POLICY = policy(
  "script-src 'self'",
  "worker-src 'self'",
  // Monaco writes theme colours and line positions as inline styles.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
);

/** With trusted documents only, every request of GraphiQL would be rejected, even its introspection query. */
export const NO_GRAPHIQL =
  'GraphiQL is off: this gateway runs only trusted documents, which clients send by hash.';

const TRUSTED_ONLY = new RequestError(400, 'TRUSTED_DOCUMENT_REQUIRED', NO_GRAPHIQL);
const NO_FILE = new RequestError(404, 'NOT_FOUND', 'GraphiQL has no such file: run `npm run build`.');

/** GraphiQL, for browsers that open the endpoint; or why there is none. */
export function createGraphiql(
  settings: GraphiqlSettings,
  root: URL,
  isOff = false,
  compression = new Compression(),
): Route {
  // As data, which the policy allows; `<` is escaped so that no value can end the script element.
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const data = `<script type="application/json" id="settings">${json}</script>`;
  const pages = readFolder(root, POLICY, compression, (html) => html.replace('<!--settings-->', () => data));
  return (request) => {
    const path = pathOf(request);
    const isOperation = !isRead(request) || /[?&](?:query|documentId|extensions)=/.test(request.url ?? '');
    const opensPages = prefersHtml(request.headers.accept, [JSON_TYPE, RESPONSE_JSON]);
    const isPage = path === settings.endpoint && opensPages && !isOperation;
    if (!isPage && !path.startsWith(ASSETS)) return undefined;
    if (isPage && isOff) throw TRUSTED_ONLY;
    if (!isRead(request)) throw READ_ONLY;
    const page = pages.get(isPage ? 'index.html' : path.slice(ASSETS.length));
    if (page === undefined) throw NO_FILE;
    return page(request);
  };
}
