import { Compression } from '../http/compression.ts';
import { RequestError } from '../http/errors.ts';
import { JSON_TYPE, prefersHtml, RESPONSE_JSON } from '../http/negotiation.ts';
import { isRead, pathOf, policy, READ_ONLY, type Route } from './route.ts';
import { readFolder } from './static-page.ts';

export interface GraphiqlSettings {
  readonly endpoint: string;
  readonly credentials: ExampleCredentials;
  /** The administration in the variables of the examples. */
  readonly administrationId: string;
  readonly tabs: readonly ExampleTab[];
}

/** The credentials for operations; empty strings if unknown. */
export interface ExampleCredentials {
  readonly token: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ExampleTab {
  readonly query: string;
  readonly variables: string | null;
}

const ASSETS = '/graphiql/assets/';

const POLICY = policy(
  "script-src 'self'",
  "worker-src 'self'",
  // Monaco uses inline styles for colours and positions.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
);

/** With only trusted documents, the gateway would reject even GraphiQL's introspection query. */
export const NO_GRAPHIQL =
  'GraphiQL is off: this gateway runs only trusted documents, which clients send by hash.';

const TRUSTED_ONLY = new RequestError(400, 'TRUSTED_DOCUMENT_REQUIRED', NO_GRAPHIQL);
const NO_FILE = new RequestError(404, 'NOT_FOUND', 'GraphiQL has no such file. Run `npm run build`.');

/** Serves GraphiQL to browsers that open the endpoint. Throws an error if it is off. */
export function createGraphiql(
  settings: GraphiqlSettings,
  root: URL,
  isOff = false,
  compression = new Compression(),
): Route {
  // The policy allows data, but no inline scripts. `<` is escaped so that no value can end the element.
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
