import type { GraphiQLProps } from 'graphiql';
import { isRecord } from './json.ts';
import { namesCredential, requestHeaders } from './request-headers.ts';
import { formatServerTiming } from './server-timing.ts';
import type { Session } from './session.ts';

const INTROSPECTION = 'IntrospectionQuery';

/** Sends an operation with the credentials of the session, and requests the list of REST calls behind the response. */
export function createFetcher(endpoint: string, session: Session): GraphiQLProps['fetcher'] {
  return async (operation, options) => {
    const own = options?.headers ?? {};
    const response = await send(endpoint, requestHeaders(session.get(), own), operation);
    const body = await response.json();
    // GraphiQL asks for the schema by itself: that is no answer which a user has waited for.
    if (operation.operationName !== INTROSPECTION)
      session.set({ timing: formatServerTiming(response.headers.get('Server-Timing')) });
    // What a tab sends of its own says nothing about the credentials of the session.
    if (!namesCredential(own)) session.set({ refusal: refusalIn(body) });
    return body;
  };
}

export async function post(endpoint: string, headers: Headers, operation: object) {
  return (await send(endpoint, headers, operation)).json();
}

async function send(endpoint: string, headers: Headers, operation: object): Promise<Response> {
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(operation) });
  if (!response.headers.get('Content-Type')?.includes('json')) {
    throw new Error(`The gateway answered ${response.status} ${response.statusText}, without JSON`);
  }
  return response;
}

/** What the gateway says of a credential that is missing or was refused. */
export function refusalIn(body: unknown): string | null {
  const refusal = errorsIn(body).find(({ code }) => code === 'UNAUTHENTICATED' || code === 'FORBIDDEN');
  return refusal?.message ?? null;
}

export function errorsIn(body: unknown): { readonly code: unknown; readonly message: string }[] {
  if (!isRecord(body) || !Array.isArray(body.errors)) return [];
  return body.errors.filter(isRecord).map(({ message, extensions }) => ({
    code: isRecord(extensions) ? extensions.code : undefined,
    message: String(message),
  }));
}
