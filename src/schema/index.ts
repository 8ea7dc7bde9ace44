import type { GraphQLSchema } from 'graphql';
import { builder, DESCRIPTION } from './fields/builder.ts';
import { getRestMetadata } from './fields/metadata.ts';
import './fields/node.ts';
import './resources/token.ts';
import './resources/debtor.ts';
import './resources/declaration-line.ts';
import './resources/deleted-records.ts';
import './resources/company.ts';
import './resources/task.ts';
import './resources/message.ts';

/** Builds a new schema, which the caller may change. */
export function createSchema(): GraphQLSchema {
  const built = builder.toSchema({ sortSchema: false });
  // Pothos has no option for it.
  built.description = DESCRIPTION;
  return built;
}

export const schema = createSchema();

export const RESOURCES = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(
  (field) => getRestMetadata(field).listedResource ?? [],
);
