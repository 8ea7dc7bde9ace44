import { type DocumentNode, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { parseBounded } from '../execution/limits.ts';

const MAX_BYTES = 8_000_000;
/** Roughly, once it is parsed and planned: in the soak, a cache that is full by this count takes 10 to 11 MB. */
const BYTES_PER_CHARACTER = 40;
const ENTRY_BYTES = 1_000;

/**
 * Parses each document once, within limits, and validates it once. What is kept is bounded by its size: a thousand
 * documents of a megabyte would be a gigabyte.
 */
export function useDocuments(): Plugin {
  const parsed = new LRUCache<string, DocumentNode | GraphQLError>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_document, source) => ENTRY_BYTES + source.length * BYTES_PER_CHARACTER,
  });
  const valid = new WeakSet<DocumentNode>();

  function parse(source: string): DocumentNode {
    let known = parsed.get(source);
    if (known === undefined) {
      known = parseOrFail(source);
      parsed.set(source, known);
    }
    if (known instanceof GraphQLError) throw known;
    return known;
  }

  return {
    onParse({ setParseFn }) {
      setParseFn(parse);
    },
    onValidate({ params: { documentAST }, setResult }) {
      if (valid.has(documentAST)) {
        setResult([]);
        return undefined;
      }
      // Only that it is valid is kept: the errors of a document can be a hundred times its size.
      return ({ result }) => void (result.length === 0 && valid.add(documentAST));
    },
  };
}

/** A document that fails does so every time: that is kept too. */
function parseOrFail(source: string): DocumentNode | GraphQLError {
  try {
    return parseBounded(source);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
