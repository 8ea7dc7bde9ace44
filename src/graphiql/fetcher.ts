import type { GraphiQLProps } from 'graphiql';
import { isRecord } from './json.ts';
import { namesCredential, requestHeaders } from './request-headers.ts';
import type { Session } from './session.ts';

/** Sends an operation with the credentials of the session, and requests the list of REST calls behind the response. */
export function createFetcher(endpoint: string, session: Session): GraphiQLProps['fetcher'] {
  return async (operation, options) => {
    const own = options?.headers ?? {};
    const body = await post(endpoint, requestHeaders(session.get(), own), operation);
    // What a tab sends of its own says nothing about the credentials of the session.
    if (!namesCredential(own)) session.set({ refusal: refusalIn(body) });
    return body;
  };
}

export async function post(endpoint: string, headers: Headers, operation: object) {
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(operation) });
  if (!response.headers.get('Content-Type')?.includes('json')) {
    throw new Error(`The gateway answered ${response.status} ${response.statusText}, without JSON`);
  }
  return response.json();
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
