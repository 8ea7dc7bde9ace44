// @ts-check
import { createServer } from 'node:http';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { createSchema, createYoga } from 'graphql-yoga';
import { listen } from '../listen.mjs';
import { createContext } from './shared/context.mjs';
import { resolvers, typeDefs } from './shared/schema.mjs';

/** @type {WeakMap<import('graphql').DocumentNode, import('graphql-jit').CompiledQuery>} */
const compiled = new WeakMap();

/** Executes by graphql-jit, compiled once for each document. */
const useJit = {
  /** @param {{ setExecuteFn(execute: (args: import('graphql').ExecutionArgs) => unknown): void }} hook */
  onExecute({ setExecuteFn }) {
    setExecuteFn(({ schema, document, operationName, rootValue, contextValue, variableValues }) => {
      let query = compiled.get(document);
      if (query === undefined) {
        const result = compileQuery(schema, document, operationName ?? undefined);
        if (!isCompiledQuery(result)) return result;
        query = result;
        compiled.set(document, query);
      }
      return query.query(rootValue, contextValue, variableValues ?? {});
    });
  },
};

const yoga = createYoga({
  schema: /** @type {import('graphql').GraphQLSchema} */ (createSchema({ typeDefs, resolvers })),
  // Node's own headers: those of the Request would be made for this alone.
  context: (/** @type {{ req: import('node:http').IncomingMessage }} */ { req }) =>
    createContext(req.headers.authorization),
  plugins: [useJit],
  // By default each body passes through a stream that counts its bytes, which takes more than half of Yoga's time.
  maxRequestBodySize: false,
  multipart: false,
  cors: false,
  graphiql: false,
  landingPage: false,
  maskedErrors: false,
  logging: false,
});
await listen(createServer(yoga));
