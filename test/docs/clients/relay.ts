import { Environment, Network, Observable, RecordSource, Store } from 'relay-runtime';
import { follow } from './follow.ts';
import { gatewayFetch } from './gateway-fetch.ts';

export const environment = new Environment({
  store: new Store(new RecordSource()),
  network: Network.create(
    async ({ text }, variables) => {
      const response = await gatewayFetch('http://localhost:4000/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      });
      return response.json();
    },
    ({ text }, variables) =>
      Observable.create((sink) =>
        follow({ query: text ?? '', variables }, { ...sink, next: ({ data }) => sink.next({ data }) }),
      ),
  ),
});
