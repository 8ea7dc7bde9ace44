import type { ExampleCredentials } from '../pages/graphiql.ts';

/** The headers that a tab itself names. */
export type OwnHeaders = Readonly<Record<string, unknown>>;

const TOKEN = 'authorization';
const APPLICATION = 'x-client-authorization';

/** The headers of a request of this page, which shows what the gateway explains. */
export function requestHeaders(credentials: ExampleCredentials, own: OwnHeaders): Headers {
  // Subscriptions are answered with a stream, all else with JSON.
  const accept = 'application/graphql-response+json, application/json, text/event-stream';
  return credentialHeaders(credentials, { Accept: accept, 'X-Explain': 'true', ...own });
}

/** The headers of any request: one that the tab itself names takes the place of the strip's. */
export function credentialHeaders(credentials: ExampleCredentials, own: OwnHeaders): Headers {
  const { token, clientId, clientSecret } = credentials;
  const headers = new Headers({ 'Content-Type': 'application/json' });
  if (token) headers.set(TOKEN, `Bearer ${token}`);
  // One of the two is given first.
  if (clientId && clientSecret) headers.set(APPLICATION, `Basic ${base64(`${clientId}:${clientSecret}`)}`);
  for (const [name, value] of Object.entries(own)) headers.set(name, String(value));
  return headers;
}

/** Whether the headers of a tab replace a credential of the strip. */
export function namesCredential(own: OwnHeaders): boolean {
  return Object.keys(own).some((name) => [TOKEN, APPLICATION].includes(name.toLowerCase()));
}

/** As RFC 7617 has it, of UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
