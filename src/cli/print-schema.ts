import { printSchema as print } from 'graphql';
import { schema } from '../schema/index.ts';

/** As it stands in schema.graphql. */
export function printSchema(): void {
  process.stdout.write(print(schema));
}
