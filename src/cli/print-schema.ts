import { printSchema } from 'graphql';
import { schema } from '../schema/index.ts';

/** Exactly what schema.graphql holds. */
export const SCHEMA_TEXT = printSchema(schema);
