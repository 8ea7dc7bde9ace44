import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { keys, resolvers } from 'receivables-graphql/graphcache.js';
import { follow } from './follow.ts';
import { gatewayFetch } from './gateway-fetch.ts';

export const cache = cacheExchange({ keys, resolvers });

const subscriptions = subscriptionExchange({
  forwardSubscription: ({ query = '', variables = {} }) => ({
    subscribe: (sink) => ({ unsubscribe: follow({ query, variables }, sink) }),
  }),
});

export const client = new Client({
  url: 'http://localhost:4000/graphql',
  exchanges: [cache, fetchExchange, subscriptions],
  fetch: gatewayFetch,
});
