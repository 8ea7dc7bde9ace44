// @ts-check
import { RESTDataSource } from '@apollo/datasource-rest';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createContext } from './shared/context.mjs';
import { resolvers } from './shared/resolvers.mjs';
import { typeDefs } from './shared/schema.mjs';

class ReceivablesApi extends RESTDataSource {
  baseURL = process.env.REST_URL;

  /**
   * @param {import('@apollo/datasource-rest').DataSourceConfig} config
   * @param {string} authorization
   */
  constructor(config, authorization) {
    super(config);
    this.authorization = authorization;
  }

  /**
   * @param {string} _path
   * @param {import('@apollo/datasource-rest').AugmentedRequest} request
   */
  willSendRequest(_path, request) {
    request.headers.authorization = this.authorization;
  }

  /** @type {import('./shared/context.mjs').Get} */
  read = (path) => this.get(path);
}

const server = new ApolloServer({ typeDefs, resolvers });
const { cache } = server;
const { url } = await startStandaloneServer(server, {
  listen: { host: '127.0.0.1', port: 0 },
  context: async ({ req }) =>
    createContext(new ReceivablesApi({ cache }, req.headers.authorization ?? '').read),
});
console.log(`ready at ${url}`);
