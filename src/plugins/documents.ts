import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { shownError } from '../errors.ts';
import { parseBounded, validateBounded } from '../execution/limits.ts';
import { createRefusals, type Refusals, RefusedDocument } from './refusals.ts';

const MAX_BYTES = 16_000_000;
const ENTRY_BYTES = 1_000;
/** Measured: 90 to 500 with the nodes that are made of a token, of which a field without arguments takes most. */
const TOKEN_BYTES = 500;
const CHARACTER_BYTES = 2;

/** Parses and validates within limits. */
export function useLimits(): Plugin {
  return {
    onParse: ({ setParseFn }) => setParseFn(parseBounded),
    onValidate: ({ setValidationFn }) => setValidationFn(validateBounded),
  };
}

/** How Yoga's engine reads a document, with all plugins. */
interface Reading {
  readonly schema: GraphQLSchema;
  readonly parse: (source: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
}

export interface Documents {
  /**
   * The document of this text. Throws `RefusedDocument` where it is not GraphQL, not valid or too large. `hold` is told
   * what a new one takes, which the operation holds whether or not it is kept.
   */
  read(source: string, reading: Reading, hold: (bytes: number) => void): DocumentNode;
  /** What the documents that are kept count for, of how much they may. */
  bytes(): { readonly kept: number; readonly most: number };
}

/**
 * Each document is parsed and validated once for all callers: no caller makes a difference to it. What is kept is
 * bounded by what it takes: plans, which are kept with it, have a bound of their own.
 */
export function createDocuments(refusals: Refusals = createRefusals()): Documents {
  const known = new LRUCache<string, DocumentNode>({ maxSize: MAX_BYTES });
  return {
    read(source, reading, hold) {
      let document = known.get(source);
      if (document === undefined) {
        const refused = refusals.of(source);
        if (refused) throw new RefusedDocument(refused);
        const made = readAnew(source, reading);
        if (made instanceof RefusedDocument) {
          refusals.keep(source, made.errors);
          throw made;
        }
        const size = bytesOf(made, source);
        hold(size);
        known.set(source, made, { size });
        document = made;
      }
      return document;
    },
    bytes: () => ({ kept: known.calculatedSize, most: MAX_BYTES }),
  };
}

function readAnew(source: string, { schema, parse, validate }: Reading): DocumentNode | RefusedDocument {
  try {
    const document = parse(source);
    const errors = validate(schema, document);
    return errors.length > 0 ? new RefusedDocument(errors.map(shownError)) : document;
  } catch (error) {
    if (error instanceof GraphQLError) return new RefusedDocument([shownError(error)]);
    throw error;
  }
}

/** Comments are tokens too, which the parser links but does not count. */
function bytesOf({ loc }: DocumentNode, source: string): number {
  let tokens = 0;
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) tokens += 1;
  return ENTRY_BYTES + source.length * CHARACTER_BYTES + tokens * TOKEN_BYTES;
}
