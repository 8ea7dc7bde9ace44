import { printSchema } from 'graphql';
import { schema } from '../schema/index.ts';
import type { Runner } from './arguments.ts';
import { print } from './terminal.ts';

export const runPrintSchema: Runner<'print-schema'> = async (_given, context) =>
  print(printSchema(schema), context);
