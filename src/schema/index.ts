import type { GraphQLSchema } from 'graphql';
import { requireExecutable } from '../execution/contract.ts';
import { builder } from './builder.ts';
import { defineLists } from './connection.ts';
import { DESCRIPTION } from './description.ts';
import './node.ts';
import './viewer.ts';
import './administration.ts';
import './debtor.ts';
import './declaration-line.ts';
import './deleted-credit-case.ts';
import './deleted-payment.ts';
import './companies.ts';
import './task.ts';
import './message.ts';
import './token.ts';

/** Builds a new instance, which the caller may change. */
export function createSchema(): GraphQLSchema {
  defineLists(builder.toSchema({ sortSchema: false }));
  const built = builder.toSchema({ sortSchema: false });
  // Pothos has no option for it.
  built.description = DESCRIPTION;
  return requireExecutable(built);
}

export const schema = createSchema();
