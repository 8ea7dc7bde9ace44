import { ApolloClient, type FieldPolicy, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

/** Pages are parts of one list where all arguments but the place in it are the same. */
function isFilter(argument: string): boolean {
  return argument !== 'first' && argument !== 'after';
}

function list(): FieldPolicy {
  return relayStylePagination((args) => Object.keys(args ?? {}).filter(isFilter));
}

const lists = {
  debtors: list(),
  declarationLines: list(),
  deletedCreditCases: list(),
  deletedPayments: list(),
};

export function createClient(url: string, token: string): ApolloClient {
  return new ApolloClient({
    link: new HttpLink({ uri: url, headers: { Authorization: `Bearer ${token}` } }),
    cache: new InMemoryCache({
      typePolicies: {
        Query: { fields: { ...lists, companies: list() } },
        Administration: { fields: lists },
      },
    }),
  });
}
