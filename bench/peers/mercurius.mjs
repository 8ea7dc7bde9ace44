// @ts-check
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { createContext } from './shared/context.mjs';
import { schema } from './shared/schema.mjs';

const app = Fastify();
app.register(mercurius, {
  schema,
  jit: 1,
  context: ({ headers }) => createContext(headers.authorization),
});
console.log(`ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
