import type { GraphiQLProps } from 'graphiql';

/** Sends an operation to the gateway, and requests the list of REST calls behind the response. */
export function createFetcher(endpoint: string): GraphiQLProps['fetcher'] {
  return async (operation, options) => {
    const headers = new Headers({
      Accept: 'application/graphql-response+json, application/json',
      'Content-Type': 'application/json',
      'X-Explain': 'true',
    });
    // The headers pane is applied last, so that it overrides the defaults.
    for (const [name, value] of Object.entries(options?.headers ?? {})) headers.set(name, String(value));

    const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(operation) });
    if (!response.headers.get('Content-Type')?.includes('json')) {
      throw new Error(`The gateway answered ${response.status} ${response.statusText}, without JSON`);
    }
    return response.json();
  };
}
