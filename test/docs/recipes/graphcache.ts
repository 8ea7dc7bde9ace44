import { cacheExchange } from '@urql/exchange-graphcache';
import { keys, resolvers } from 'receivables-graphql/graphcache.js';

export const cache = cacheExchange({ keys, resolvers });
