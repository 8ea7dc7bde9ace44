import {
  type GraphQLArgument,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
} from 'graphql';
import type { Resource } from '../rest/resource.ts';
import { resourcesOf } from '../schema/resources.ts';

/** What a filter takes, which decides how to find out whether it is honoured. */
export type FilterKind =
  | { readonly takes: 'values' | 'moment' | 'other' }
  | { readonly takes: 'choice'; readonly choices: readonly string[] };

/** A filter whose parameter name the service's description does not show. */
export type AssumedFilter = FilterKind & { readonly argument: string };

export interface CheckedList {
  readonly resource: Resource;
  readonly filters: readonly AssumedFilter[];
}

/** The lists that the schema offers. The types of their arguments say what their filters take. */
export function listsOf(schema: GraphQLSchema): CheckedList[] {
  const fields = schema.getQueryType()?.getFields() ?? {};
  return resourcesOf(schema).map((resource) => ({
    resource,
    filters: Object.entries(resource.filters).flatMap(([argument, { assumed }]) => {
      const definition = fields[resource.name]?.args.find(({ name }) => name === argument);
      return assumed && definition ? [{ argument, ...kindOf(definition) }] : [];
    }),
  }));
}

function kindOf({ type }: GraphQLArgument): FilterKind {
  const named = getNamedType(type);
  if (isListType(getNullableType(type))) return { takes: 'values' };
  if (isEnumType(named)) return { takes: 'choice', choices: named.getValues().map(({ value }) => value) };
  return { takes: named.name === 'DateTime' ? 'moment' : 'other' };
}
