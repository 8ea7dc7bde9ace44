// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { scriptOf } from '../../scripts/commands.mjs';
import { documents } from './documents.js';

/** @typedef {keyof typeof documents} Key */
/** @typedef {{ bodies: string[], headers: Record<string, string> }} Requests What a client puts on the wire. */
/** @typedef {(key: Key, variables: Record<string, unknown>[]) => Promise<Requests>} Client */

/** Adds `__typename` to every selection, names itself, and accepts more than one type. @type {Client} */
async function apollo(key, variables) {
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
  const query = gql(documents[key]);
  for (const set of variables)
    await client.query({ query, variables: set, fetchPolicy: 'no-cache', errorPolicy: 'all' });
  return sent;
}

/** Adds global ids, and `__typename` and `cursor` to connections: what today's compiler makes of a document. @type {Client} */
async function relay(key, variables) {
  const cwd = import.meta.dirname;
  mkdirSync(join(cwd, 'dist'), { recursive: true });
  const compiler = [scriptOf('relay-compiler'), 'relay.config.json'];
  const { status, stderr } = spawnSync(process.execPath, compiler, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`Relay cannot compile the documents:\n${stderr}`);
  const { default: compiled } = await import(`./dist/documents${key}Query.graphql.js`);
  const bodies = variables.map((set) => JSON.stringify({ query: compiled.params.text, variables: set }));
  return { bodies, headers: { accept: '*/*' } };
}

/** @type {Readonly<Record<string, Client>>} */
export const clients = { apollo, relay };
