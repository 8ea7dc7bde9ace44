import { printSchema } from 'graphql';
import { schema } from '../schema/index.ts';
import type { CommandRun } from './arguments.ts';
import { print } from './terminal.ts';

/** Prints exactly what schema.graphql holds. */
export const runPrintSchema: CommandRun<'print-schema'> = (_given, context) =>
  print(printSchema(schema), context);
