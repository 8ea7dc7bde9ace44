import { printSchema } from 'graphql';
import { schema } from '../schema/index.ts';
import { parseCommand } from './arguments.ts';
import { type CommandContext, print } from './context.ts';

/** Prints exactly what schema.graphql holds. */
export function runPrintSchema(args: readonly string[], context: CommandContext): number {
  parseCommand('print-schema', args);
  return print(printSchema(schema), context);
}
