import { createHash } from 'node:crypto';
import { prefersHtml } from '../http/negotiation.ts';
import { version } from '../package.ts';
import { DOCS_PATH } from './docs.ts';
import { curlExample, type ExampleValues } from './examples.ts';
import { NO_GRAPHIQL } from './graphiql.ts';
import { ENDPOINT, PAGE_HEADERS, pageAt, policy, type ReadRequest, type Route } from './route.ts';
import { CLIENT_MODULES, SCHEMA_PATH } from './static-page.ts';

interface LandingFacts {
  /** Whether the gateway uses the embedded REST service. The page never shows the address of another service. */
  readonly embedded: boolean;
  readonly example: ExampleValues;
  /** Whether the gateway runs only trusted documents, so that it has no GraphiQL. */
  readonly trusted: boolean;
}

const STYLE = `:root { color-scheme: light dark; background: light-dark(#fff, #16131a); font: 16px/1.6 system-ui, sans-serif }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1.5rem }
a { color: light-dark(#b8047b, #ff7ac8) }
pre { overflow: auto; padding: 1rem; border: 1px solid light-dark(#e6e2ea, #332d3c) }`;
const HASH = createHash('sha256').update(STYLE).digest('base64');
const HEADERS = {
  ...PAGE_HEADERS,
  ...policy(`style-src 'sha256-${HASH}'`, "img-src 'self'"),
  'Cache-Control': 'no-store',
  Vary: 'Accept',
};

/** Serves the front page: links, and a command with the request's host. HTML for browsers, text for others. */
export function createLanding(facts: LandingFacts, hasMetrics: boolean): Route {
  const { embedded, example, trusted } = facts;
  const title = `receivables-graphql ${version}`;
  const lead = `A GraphQL API for receivables and debtor management, over ${embedded ? 'an embedded REST service with made-up data' : 'a REST service'}.`;
  const links = [
    [ENDPOINT, trusted ? NO_GRAPHIQL : 'GraphQL for clients, GraphiQL in a browser'],
    [DOCS_PATH, 'Documentation: getting started, recipes, error codes'],
    [SCHEMA_PATH, 'The schema, for editors and code generators'],
    ...CLIENT_MODULES.map(([path, client]) => [path, `Settings for the cache of ${client}`]),
    ['/health', 'Health check: 200 while the process runs'],
    ['/ready', 'Readiness check: 200 while it accepts requests'],
    ...(hasMetrics ? [['/metrics', 'Metrics, for Prometheus']] : []),
  ];

  const items = links.map(([path, label]) => `<li><a href="${path}">${path}</a> – ${label}</li>`);
  const htmlWith = (command: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>receivables-graphql</title><link rel="icon" href="${DOCS_PATH}/icon.svg">
<style>${STYLE}</style>
<main><h1>${title}</h1>
<p>${lead}</p>
<ul>
${items.join('\n')}
</ul>
<h2>Try it from a shell</h2>
<pre tabindex="0">${command.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>
</main></html>
`;
  const lines = links.map(([path = '', label]) => `${path.padEnd(22)} ${label}`);
  const textWith = (command: string) => `${title}\n\n${lead}\n\n${lines.join('\n')}\n\n${command}\n`;

  return pageAt('/', (request) => {
    const command = curlExample(originOf(request) + ENDPOINT, example, trusted);
    const isHtml = prefersHtml(request.headers.accept, ['text/plain']);
    const headers = { ...HEADERS, 'Content-Type': `text/${isHtml ? 'html' : 'plain'}; charset=utf-8` };
    return { status: 200, headers, body: Buffer.from(isHtml ? htmlWith(command) : textWith(command)) };
  });
}

/** Returns the origin that the client used, perhaps through a proxy with TLS. The handler has validated the host. */
function originOf({ headers }: ReadRequest): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host ?? 'localhost'}`;
}
