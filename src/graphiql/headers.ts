import type { ExampleCredentials } from '../pages/graphiql.ts';
import type { TokenSource } from './advice.ts';

/** The headers from the header pane of a tab. */
export type TabHeaders = Readonly<Record<string, unknown>>;

const TOKEN = 'authorization';
const APPLICATION = 'x-client-authorization';

/** Builds headers with the credentials of the bar, which those of the tab override. */
export function buildRequestHeaders(credentials: ExampleCredentials, tabHeaders: TabHeaders): Headers {
  const { token, clientId, clientSecret } = credentials;
  const headers = new Headers({
    // The gateway responds to subscriptions with a stream, and to other operations with JSON.
    Accept: 'application/graphql-response+json, application/json, text/event-stream',
    'Content-Type': 'application/json',
    'X-Explain': 'true',
  });
  if (token) headers.set(TOKEN, `Bearer ${token}`);
  // While the user fills in the two boxes, one is still empty.
  if (clientId && clientSecret)
    headers.set(APPLICATION, `Basic ${encodeBase64(`${clientId}:${clientSecret}`)}`);
  for (const [name, value] of Object.entries(tabHeaders)) headers.set(name, String(value));
  return headers;
}

export function getTokenSource({ token }: ExampleCredentials, tabHeaders: TabHeaders): TokenSource {
  if (namesCredential(tabHeaders)) return 'tab';
  return token ? 'bar' : 'none';
}

/** Returns whether the headers of a tab override a credential of the bar. */
export function namesCredential(tabHeaders: TabHeaders): boolean {
  return Object.keys(tabHeaders).some((name) => [TOKEN, APPLICATION].includes(name.toLowerCase()));
}

/** Encodes UTF-8, as RFC 7617 recommends for Basic credentials. */
function encodeBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
