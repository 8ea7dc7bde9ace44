import type { GraphQLSchema } from 'graphql';
import type { Resource } from '../rest/resource.ts';
import { restMetadataOf } from './metadata.ts';

/** The collections that the schema lists. */
export function resourcesOf(schema: GraphQLSchema): Resource[] {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return fields.map((field) => restMetadataOf(field).lists).filter((resource) => resource !== undefined);
}
