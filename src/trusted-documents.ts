import { GraphQLError, type GraphQLSchema } from 'graphql';
import { ConfigError, LONGEST_HASH } from './config.ts';
import { parseBounded, validateBounded } from './execution/limits.ts';

/** Documents that could never be answered stop the start: who sends their hashes cannot mend them. */
export function checkTrustedDocuments(schema: GraphQLSchema, documents: ReadonlyMap<string, string>): void {
  const faults: string[] = [];
  for (const [hash, text] of documents) {
    const fault = faultIn(schema, text);
    if (fault !== undefined)
      faults.push(`TRUSTED_DOCUMENTS: the document ${hash.slice(0, LONGEST_HASH)}: ${fault}`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

function faultIn(schema: GraphQLSchema, text: string): string | undefined {
  try {
    const [error] = validateBounded(schema, parseBounded(text));
    return error?.message;
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}
