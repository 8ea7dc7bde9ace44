import type { GraphQLSchema } from 'graphql';
import type { Resource } from '../rest/resource.ts';
import { builder, DESCRIPTION } from './fields/builder.ts';
import { resourcesOf } from './fields/metadata.ts';
import './fields/node.ts';
import './resources/token.ts';
import './resources/debtor.ts';
import './resources/declaration-line.ts';
import './resources/deleted-records.ts';
import './resources/company.ts';
import './resources/task.ts';
import './resources/message.ts';

/** Builds a new instance, which the caller may change. */
export function createSchema(): GraphQLSchema {
  const built = builder.toSchema({ sortSchema: false });
  // Pothos has no option for it.
  built.description = DESCRIPTION;
  return built;
}

export const schema = createSchema();

/** Whose records it lists. */
export const RESOURCES: readonly Resource[] = resourcesOf(schema);
