import { printSchema as print } from 'graphql';
import { schema } from '../schema/index.ts';

/** Prints exactly what schema.graphql holds. */
export function printSchema(): void {
  process.stdout.write(print(schema));
}
