// @ts-check
import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { listen } from '../listen.mjs';
import { createContext } from './shared/context.mjs';
import { resolvers } from './shared/resolvers.mjs';
import { getAs } from './shared/rest.mjs';
import { typeDefs } from './shared/schema.mjs';

const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  context: ({ request }) => createContext(getAs(request.headers.get('authorization'))),
  graphiql: false,
  logging: 'error',
});
await listen(createServer(yoga));
