import { printSchema } from 'graphql';
import { schema } from '../schema/index.ts';
import type { Runner } from './arguments.ts';
import { print } from './terminal.ts';

/** Prints exactly what schema.graphql holds. */
export const runPrintSchema: Runner<'print-schema'> = async (_given, context) =>
  print(printSchema(schema), context);
