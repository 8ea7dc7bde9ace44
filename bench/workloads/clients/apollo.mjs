// @ts-check
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';

/** @typedef {import('../index.mjs').GraphqlRequest} GraphqlRequest */

/**
 * What Apollo Client puts on the wire for a document: `__typename` in every selection, the name of the client, and an
 * `Accept` of its own.
 * @param {string} document
 * @param {Record<string, unknown>} variables
 * @returns {Promise<GraphqlRequest>}
 */
export async function sentByApollo(document, variables) {
  /** @type {GraphqlRequest | undefined} */
  let sent;
  const link = new HttpLink({
    uri: 'http://127.0.0.1/graphql',
    fetch: async (_url, { body, headers } = {}) => {
      const { accept = '' } = Object.fromEntries(new Headers(headers));
      sent = { body: String(body), headers: { accept } };
      return Response.json({ data: null });
    },
  });
  const client = new ApolloClient({ link: ApolloLink.from([link]), cache: new InMemoryCache() });
  await client.query({ query: gql(document), variables, fetchPolicy: 'no-cache', errorPolicy: 'all' });
  if (!sent) throw new Error('Apollo Client has sent nothing.');
  return sent;
}
