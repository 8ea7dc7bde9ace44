import { Environment, type GraphQLResponse, Network, RecordSource, Store } from 'relay-runtime';

interface Failure {
  readonly message: string;
  readonly extensions: { readonly code: string };
}

export function createEnvironment(url: string, token: string): Environment {
  const network = Network.create(async ({ text }, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: text, variables }),
    });
    const result = (await response.json()) as GraphQLResponse & { readonly errors?: readonly Failure[] };
    // Relay ignores errors that come with data: a rejected token would look like an empty list.
    const rejection = result.errors?.find(({ extensions }) => extensions.code === 'UNAUTHENTICATED');
    if (rejection) throw new Error(rejection.message);
    return result;
  });
  return new Environment({ network, store: new Store(new RecordSource()) });
}
