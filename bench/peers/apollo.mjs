// @ts-check
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createContext } from './shared/context.mjs';
import { resolvers, typeDefs } from './shared/schema.mjs';

const { url } = await startStandaloneServer(new ApolloServer({ typeDefs, resolvers }), {
  listen: { host: '127.0.0.1', port: 0 },
  context: async ({ req }) => createContext(req.headers.authorization),
});
console.log(`ready at ${url}`);
