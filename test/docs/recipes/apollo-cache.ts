import { InMemoryCache } from '@apollo/client';
import { possibleTypes, typePolicies } from 'receivables-graphql/apollo.js';

export const cache = new InMemoryCache({ typePolicies, possibleTypes });
