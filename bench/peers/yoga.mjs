// @ts-check
import { createServer } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { listen } from '../listen.mjs';
import { createContext } from './shared/context.mjs';
import { executeJit } from './shared/jit.mjs';
import { schema } from './shared/schema.mjs';

const useJit = {
  /** @param {{ setExecuteFn(execute: typeof executeJit): void }} hook */
  onExecute: ({ setExecuteFn }) => setExecuteFn(executeJit),
};

const yoga = createYoga({
  schema,
  // Node's own headers: those of the Request would be made for this alone.
  context: (/** @type {{ req: import('node:http').IncomingMessage }} */ { req }) =>
    createContext(req.headers.authorization),
  plugins: [useJit],
  // Yoga counts the bytes of each body in a stream by default, which takes more than half of its time.
  maxRequestBodySize: false,
  multipart: false,
  cors: false,
  graphiql: false,
  landingPage: false,
  maskedErrors: false,
  logging: false,
});
await listen(createServer(yoga));
