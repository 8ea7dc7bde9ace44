// @ts-check
import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway';
import { getComposedSchemaFromConfig } from '@graphql-mesh/compose-cli';
import { loadOpenAPISubgraph } from '@omnigraph/openapi';
import { listen } from '../listen.mjs';

/** The join that OpenAPI cannot tell: Mesh batches the keys of one operation into a single call. */
const JOIN = /* GraphQL */ `
  extend type DeletedCreditCase {
    debtor(administration_id: String!, fields: String!, per_page: Int!): Debtor
      @resolveTo(
        sourceName: "Receivables"
        sourceTypeName: "Query"
        sourceFieldName: "debtors"
        requiredSelectionSet: "{ debtor_id }"
        keyField: "debtor_id"
        keysArg: "ids"
        additionalArgs: {
          administration_id: "{args.administration_id}"
          fields: "{args.fields}"
          per_page: "{args.per_page}"
        }
        result: "data"
      )
  }
`;

const supergraph = await getComposedSchemaFromConfig(
  {
    cwd: import.meta.dirname,
    subgraphs: [
      {
        sourceHandler: loadOpenAPISubgraph('Receivables', {
          source: './openapi.json',
          endpoint: process.env.REST_URL,
          operationHeaders: { Authorization: '{context.headers.authorization}' },
        }),
      },
    ],
    additionalTypeDefs: JOIN,
  },
  quietLogger(),
);
const gateway = createGatewayRuntime({ supergraph, logging: false });
await listen(createServer(gateway));

/** Composing tells its progress, and the bench waits for one line only. */
function quietLogger() {
  const logger = { ...console, debug() {}, info() {}, log() {}, child: () => logger };
  return logger;
}
