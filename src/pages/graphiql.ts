import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Compression } from '../http/compression.ts';
import { methodNotAllowed, RequestError } from '../http/errors.ts';
import { JSON_TYPE, preferredEncoding, prefersHtml, RESPONSE_JSON } from '../http/negotiation.ts';
import { isRead, PAGE_HEADERS, type PageResponse, policy, READ_ONLY, type Route } from './route.ts';
import { CONTENT_TYPES, createPageText } from './static-page.ts';

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

/** The encodings that the build writes for each asset, in order of preference, and their file suffixes. */
const ENCODINGS = ['br', 'gzip'] as const;
const SUFFIXES = { br: '.br', gzip: '.gz' };

const SECURITY_HEADERS = {
  ...PAGE_HEADERS,
  ...policy(
    "script-src 'self'",
    "worker-src 'self'",
    // Monaco writes theme colours and line positions as inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
  ),
};

const PAGE = {
  ...SECURITY_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  Vary: 'Accept, Accept-Encoding',
};

const NOT_BUILT = `<!doctype html>
<meta charset="utf-8">
<title>receivables-graphql</title>
<p>GraphiQL has not been built yet. Run <code>npm run build</code> and start the gateway again.</p>
`;

/** Told in place of the page, where there is none. */
export const NO_GRAPHIQL =
  'GraphiQL is off: this gateway runs only trusted documents, which clients send by hash.';

const TRUSTED_ONLY = new RequestError(400, 'TRUSTED_DOCUMENT_REQUIRED', NO_GRAPHIQL);

/** The page is at the endpoint, which takes operations by POST. */
const METHOD_NOT_ALLOWED = methodNotAllowed('Use POST, or GET for a query.', 'GET, HEAD, POST');

export function createGraphiql(
  settings: GraphiqlSettings,
  root: URL,
  compression = new Compression(),
): Route {
  const build = readBuild(root);
  const status = build ? 200 : 503;
  const text = build?.page.replace('<!--settings-->', () => settingsBlock(settings)) ?? NOT_BUILT;
  const page = createPageText(text, compression);

  return (request) => {
    const [path = '', search = ''] = (request.url ?? '').split('?', 2);

    if (path.startsWith(ASSETS)) {
      if (!isRead(request)) throw READ_ONLY;
      const name = path.slice(ASSETS.length);
      return () => assetResponse(name, build?.files, request.headers['accept-encoding']);
    }
    if (path !== settings.endpoint || request.method === 'POST') return undefined;
    const isPage = !new URLSearchParams(search).has('query');
    if (!isPage || !prefersHtml(request.headers.accept, [JSON_TYPE, RESPONSE_JSON])) return undefined;
    if (!isRead(request)) throw METHOD_NOT_ALLOWED;
    return () => page.responseTo(request, status, () => PAGE);
  };
}

/** For a gateway without GraphiQL: whoever opens its address in a browser is told so. */
export function createGraphiqlAbsence(endpoint: string): Route {
  return (request) => {
    if (request.url !== endpoint || !isRead(request)) return undefined;
    if (prefersHtml(request.headers.accept, [JSON_TYPE, RESPONSE_JSON])) throw TRUSTED_ONLY;
    return undefined;
  };
}

type Files = ReadonlyMap<string, Buffer>;

/** With all files of the assets folder by name: no other file can be requested. */
function readBuild(root: URL) {
  const assets = new URL('assets/', root);
  try {
    return {
      page: readFileSync(new URL('index.html', root), 'utf8'),
      files: new Map(readdirSync(assets).map((name) => [name, readFileSync(new URL(name, assets))])),
    };
  } catch {
    return undefined;
  }
}

/** As data, which the content security policy allows; `<` is escaped so that no value can end the script element. */
function settingsBlock(settings: GraphiqlSettings): string {
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="settings">${json}</script>`;
}

function assetResponse(name: string, files: Files | undefined, accept?: string): PageResponse {
  const original = files?.get(name);
  const contentType = CONTENT_TYPES[extname(name)];
  if (!original || !contentType) {
    const headers = { ...SECURITY_HEADERS, 'Content-Type': 'text/plain' };
    return { status: 404, headers, body: Buffer.from('Not found\n') };
  }
  const { encoding } = preferredEncoding(accept, ENCODINGS);
  const compressed = encoding && files?.get(name + SUFFIXES[encoding]);
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': contentType,
    ...(compressed && { 'Content-Encoding': encoding }),
    // The file name contains a hash of the content, so the content never changes.
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  };
  return { status: 200, headers, body: compressed ?? original };
}
