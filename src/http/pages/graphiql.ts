import { readdirSync, readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { Compression } from '../compression.ts';
import { JSON_TYPE, preferredEncoding, prefersHtml, RESPONSE_JSON } from '../negotiation.ts';
import { PageText } from './page-text.ts';
import { isRead, PAGE_HEADERS, type Route } from './route.ts';

/** What the page is told: where to send operations, and what its panes hold when it first opens. */
export interface GraphiqlSettings {
  readonly endpoint: string;
  /** The text of the headers pane, a JSON object. */
  readonly headers: string;
  readonly tabs: readonly ExampleTab[];
}

export interface ExampleTab {
  /** Shown as a comment above the query; the tab itself bears the name of its operation. */
  readonly title?: string;
  readonly query: string;
  readonly variables?: string;
  /** In place of the settings' own, for an example that needs another credential. */
  readonly headers?: string;
}

const ASSETS = '/graphiql/assets/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** The encodings that the build writes beside each asset, best first, and how their names end. */
const ENCODINGS = ['br', 'gzip'] as const;
const SUFFIXES = { br: '.br', gzip: '.gz' };

const SECURITY_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    // Monaco writes the colours of its theme, and the place of each line, as inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
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

/** Answers a request for the page or one of its assets; false when the request is for neither. */
export function createGraphiql(
  settings: GraphiqlSettings,
  root: URL,
  compression = new Compression(),
): Route {
  const build = readBuild(root);
  const status = build ? 200 : 503;
  const text = build?.page.replace('<!--settings-->', () => settingsBlock(settings)) ?? NOT_BUILT;
  const page = new PageText(text, compression);

  return (request, response) => {
    if (!isRead(request)) return false;
    const [path = '', search = ''] = (request.url ?? '').split('?', 2);

    if (path.startsWith(ASSETS)) {
      sendAsset(response, path.slice(ASSETS.length), build?.files, request.headers['accept-encoding']);
      return true;
    }
    const isPage = path === settings.endpoint && !new URLSearchParams(search).has('query');
    if (isPage && prefersHtml(request.headers.accept, [JSON_TYPE, RESPONSE_JSON])) {
      return page.send(request, response, status, PAGE);
    }
    return false;
  };
}

// Private:

/** Every file of the assets folder by its name: a request can reach these and nothing else. */
type Files = ReadonlyMap<string, Buffer>;

function readBuild(root: URL): { readonly page: string; readonly files: Files } | undefined {
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

/** Settings as data, which the policy allows; `<` is escaped so that nothing in them can end the block. */
function settingsBlock(settings: GraphiqlSettings): string {
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="settings">${json}</script>`;
}

function sendAsset(response: ServerResponse, name: string, files: Files | undefined, accept?: string): void {
  const original = files?.get(name);
  const contentType = CONTENT_TYPES[extname(name)];
  if (!original || !contentType) {
    send(response, 404, Buffer.from('Not found\n'), { 'Content-Type': 'text/plain' });
    return;
  }
  const { encoding } = preferredEncoding(accept, ENCODINGS);
  const compressed = encoding && files?.get(name + SUFFIXES[encoding]);
  send(response, 200, compressed ?? original, {
    'Content-Type': contentType,
    ...(compressed && { 'Content-Encoding': encoding }),
    // The name holds a hash of the content, so what it stands for never changes.
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  });
}

function send(response: ServerResponse, status: number, body: Buffer, headers: OutgoingHttpHeaders): void {
  response.writeHead(status, { ...SECURITY_HEADERS, ...headers, 'Content-Length': body.length }).end(body);
}
