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
    const answer = (await response.json()) as GraphQLResponse & { readonly errors?: readonly Failure[] };
    // Relay ignores errors beside data: a refused token would look like an empty list.
    const refusal = answer.errors?.find(({ extensions }) => extensions.code === 'UNAUTHENTICATED');
    if (refusal) throw new Error(refusal.message);
    return answer;
  });
  return new Environment({ network, store: new Store(new RecordSource()) });
}
