import { printSchema as print } from 'graphql';
import { schema } from '../schema/index.ts';
import type { CommandContext } from './context.ts';

/** Prints exactly what schema.graphql holds. */
export function printSchema({ stdout }: CommandContext): number {
  stdout.write(print(schema));
  return 0;
}
