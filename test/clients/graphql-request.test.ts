import { ClientError, GraphQLClient } from 'graphql-request';
import { describeClient } from './behaviour.ts';

describeClient('graphql-request', {
  async request({ url, document, variables, headers, method, fetch }) {
    const client = new GraphQLClient(url, { headers, method, fetch });
    try {
      return { data: await client.request(document, { ...variables }) };
    } catch (error) {
      return { error, ...(error instanceof ClientError && { data: error.response.data }) };
    }
  },
  errorsIn: (error) => (error instanceof ClientError ? error.response.errors : undefined),
  graphqlError: ClientError,
  statusError: ClientError,
});
