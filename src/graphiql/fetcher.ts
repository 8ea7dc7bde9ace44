import type { GraphiQLProps } from 'graphiql';

/** Sends an operation to the gateway, and asks it to list the REST calls behind the answer. */
export function createFetcher(endpoint: string): GraphiQLProps['fetcher'] {
  return async (operation, options) => {
    const headers = new Headers({
      Accept: 'application/graphql-response+json, application/json',
      'Content-Type': 'application/json',
      'X-Explain': 'true',
    });
    // The headers pane goes last: what its author wrote there wins.
    for (const [name, value] of Object.entries(options?.headers ?? {})) headers.set(name, String(value));

    const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(operation) });
    if (!response.headers.get('Content-Type')?.includes('json')) {
      throw new Error(`The gateway answered ${response.status} ${response.statusText}, without JSON`);
    }
    return response.json();
  };
}
