import type { Credentials } from '../pages/graphiql.ts';

const TOKEN_HEADER = 'Authorization';
const APPLICATION_HEADER = 'X-Client-Authorization';

/** The headers of a request: a header that the tab itself names takes the place of the strip's. */
export function requestHeaders(credentials: Credentials, own: Readonly<Record<string, unknown>>): Headers {
  const { token, clientId, clientSecret } = credentials;
  const headers = new Headers({
    // Subscriptions are answered with a stream, all else with JSON.
    Accept: 'application/graphql-response+json, application/json, text/event-stream',
    'Content-Type': 'application/json',
    'X-Explain': 'true',
  });
  if (token) headers.set(TOKEN_HEADER, `Bearer ${token}`);
  if (clientId) headers.set(APPLICATION_HEADER, `Basic ${base64(`${clientId}:${clientSecret}`)}`);
  for (const [name, value] of Object.entries(own)) headers.set(name, String(value));
  return headers;
}

/** Whether the headers of a tab replace a credential of the strip. */
export function namesCredential(own: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(own).map((name) => name.toLowerCase());
  return [TOKEN_HEADER, APPLICATION_HEADER].some((header) => names.includes(header.toLowerCase()));
}

/** As RFC 7617 has it, of UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
