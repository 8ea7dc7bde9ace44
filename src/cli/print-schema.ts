import { parse, print, printSchema as printTypes } from 'graphql';
import { schema } from '../schema/index.ts';

/** As it stands in schema.graphql, whose printer names the roots and sets fields without blank lines between. */
export function printSchema(): void {
  const types = print(parse(printTypes(schema)));
  process.stdout.write(`schema {\n  query: Query\n  mutation: Mutation\n}\n\n${types}`);
}
