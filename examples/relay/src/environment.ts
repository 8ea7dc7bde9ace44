import { Environment, type GraphQLResponse, Network, RecordSource, Store } from 'relay-runtime';

export function createEnvironment(url: string, token: string): Environment {
  const network = Network.create(async ({ text }, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: text, variables }),
    });
    return (await response.json()) as GraphQLResponse;
  });
  return new Environment({ network, store: new Store(new RecordSource()) });
}
