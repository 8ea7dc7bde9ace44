import { GraphQLClient } from 'graphql-request';
import { gatewayFetch } from './gateway-fetch.ts';

export const client = new GraphQLClient('http://localhost:4000/graphql', { fetch: gatewayFetch });
