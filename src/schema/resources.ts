import type { GraphQLSchema } from 'graphql';
import type { Resource } from '../rest/resource.ts';
import { restMetadataOf } from './metadata.ts';

/** The resources that the schema has list fields for. */
export function resourcesOf(schema: GraphQLSchema): Resource[] {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return fields
    .map((field) => restMetadataOf(field).listedResource)
    .filter((resource) => resource !== undefined);
}
