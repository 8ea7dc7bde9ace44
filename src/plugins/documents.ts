import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { parseBounded } from '../execution/limits.ts';

const MAX_BYTES = 8_000_000;
/** Roughly, once it is parsed and planned: in the soak, a cache that is full by this count takes 10 to 11 MB. */
const BYTES_PER_CHARACTER = 40;
const ENTRY_BYTES = 1_000;

/** Parses within limits. */
export function useLimits(): Plugin {
  return { onParse: ({ setParseFn }) => setParseFn(parseBounded) };
}

/** How Yoga's engine reads a document, with all plugins. */
interface Reading {
  readonly schema: GraphQLSchema;
  readonly parse: (source: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
}

export interface Documents {
  /** The document of this text. Throws its errors where it is not GraphQL, or not valid. */
  read(source: string, reading: Reading): DocumentNode;
}

/**
 * Each document is parsed and validated once for all callers: no caller makes a difference to it. What is kept is
 * bounded by its size: a thousand documents of a megabyte would be a gigabyte.
 */
export function createDocuments(): Documents {
  const known = new LRUCache<string, DocumentNode | GraphQLError>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_document, source) => ENTRY_BYTES + source.length * BYTES_PER_CHARACTER,
  });
  return {
    read(source, { schema, parse, validate }) {
      let document = known.get(source);
      if (document === undefined) {
        document = parseOrFail(source, parse);
        // The errors of a document can be a hundred times its size, so one that is not valid is not kept.
        const errors = document instanceof GraphQLError ? [] : validate(schema, document);
        if (errors.length > 0) throw new AggregateError(errors);
        known.set(source, document);
      }
      if (document instanceof GraphQLError) throw document;
      return document;
    },
  };
}

/** A document that cannot be parsed fails with the same error every time: that is kept too. */
function parseOrFail(source: string, parse: Reading['parse']): DocumentNode | GraphQLError {
  try {
    return parse(source);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
