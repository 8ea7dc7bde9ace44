import type { GraphQLSchema } from 'graphql';
import { requireExecutable } from '../execution/contract.ts';
import { builder, DESCRIPTION } from './fields/builder.ts';
import { defineLists } from './fields/connection.ts';
import './fields/node.ts';
import './resources/viewer.ts';
import './resources/debtor.ts';
import './resources/declaration-line.ts';
import './resources/deleted-records.ts';
import './resources/companies.ts';
import './resources/task.ts';
import './resources/message.ts';
import './resources/token.ts';

/** Builds a new instance, which the caller may change. */
export function createSchema(): GraphQLSchema {
  defineLists(builder.toSchema({ sortSchema: false }));
  const built = builder.toSchema({ sortSchema: false });
  // Pothos has no option for it.
  built.description = DESCRIPTION;
  return requireExecutable(built);
}

export const schema = createSchema();
