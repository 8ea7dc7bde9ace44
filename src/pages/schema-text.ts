import { type GraphQLSchema, printSchema } from 'graphql';
import { Compression } from '../http/compression.ts';
import { isReadOf, type Route } from './route.ts';
import { StaticPage } from './static-page.ts';

export const SCHEMA_PATH = '/schema.graphql';

/**
 * The schema as SDL, for editors and code generators. Also served with trusted documents: they restrict what is run,
 * and the authors of such documents need the schema.
 */
export function createSchemaText(schema: GraphQLSchema, compression = new Compression()): Route {
  const page = new StaticPage(printSchema(schema), { contentType: 'text/plain; charset=utf-8', compression });
  return (request) => (isReadOf(SCHEMA_PATH, request) ? () => page.responseTo(request) : undefined);
}
