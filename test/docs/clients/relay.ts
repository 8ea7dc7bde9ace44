import { createClient } from 'graphql-sse';
import { Environment, Network, RecordSource, Store } from 'relay-runtime';
import { subscribeBy } from '../../clients/relay-subscribe.ts';
import { gatewayFetch } from './gateway-fetch.ts';

const url = 'http://localhost:4000/graphql';

export const environment = new Environment({
  store: new Store(new RecordSource()),
  network: Network.create(
    async ({ text }, variables) => {
      const response = await gatewayFetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      });
      return response.json();
    },
    subscribeBy(createClient({ url, fetchFn: gatewayFetch })),
  ),
});
