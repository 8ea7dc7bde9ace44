import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { keys, resolvers } from 'receivables-graphql/graphcache.js';
import { gatewayFetch } from './gateway-fetch.ts';

export const cache = cacheExchange({ keys, resolvers });

export const client = new Client({
  url: 'http://localhost:4000/graphql',
  exchanges: [cache, fetchExchange],
  fetch: gatewayFetch,
  fetchSubscriptions: true,
});
