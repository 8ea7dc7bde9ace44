// @ts-check
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Kind, print, visit } from 'graphql';

/** @typedef {{ bodies: string[], headers: Record<string, string> }} Requests What a client puts on the wire. */
/** @typedef {(document: string, variables: Record<string, unknown>[]) => Promise<Requests>} Shape */

/**
 * Selects like Apollo Client and Relay: every record has its global id, every edge its cursor, and every object its
 * `__typename`. Apollo Client adds those, names itself, and accepts more than one type.
 * @type {Shape}
 */
async function common(document, variables) {
  /** @type {Requests} */
  const sent = { bodies: [], headers: {} };
  const link = new HttpLink({
    uri: 'http://127.0.0.1/graphql',
    fetch: async (_url, { body, headers } = {}) => {
      const { accept = '' } = Object.fromEntries(new Headers(headers));
      sent.bodies.push(String(body));
      sent.headers = { accept };
      return Response.json({ data: null });
    },
  });
  const client = new ApolloClient({ link: ApolloLink.from([link]), cache: new InMemoryCache() });
  const query = visit(gql(document), { [Kind.FIELD]: addIds });
  for (const set of variables)
    await client.query({ query, variables: set, fetchPolicy: 'no-cache', errorPolicy: 'all' });
  return sent;
}

/** @type {Readonly<Record<string, string>>} */
const ADDED = { edges: 'cursor', node: 'id', debtor: 'id' };

/** @param {import('graphql').FieldNode} node */
function addIds({ name, selectionSet, ...node }) {
  const value = ADDED[name.value];
  if (!selectionSet || !value) return undefined;
  const added = /** @type {const} */ ({ kind: Kind.FIELD, name: { kind: Kind.NAME, value } });
  return {
    ...node,
    name,
    selectionSet: { ...selectionSet, selections: [added, ...selectionSet.selections] },
  };
}

/** Selects like a script: only the fields that it uses. @type {Shape} */
async function plain(document, variables) {
  const query = print(gql(document));
  const bodies = variables.map((set) => JSON.stringify({ query, variables: set }));
  return { bodies, headers: { accept: 'application/json' } };
}

/** @type {Readonly<Record<string, Shape>>} */
export const shapes = { common, plain };
