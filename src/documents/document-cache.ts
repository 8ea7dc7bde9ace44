import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { publicError } from '../plugins/errors.ts';
import type { CacheSize } from '../rest/cache/cache-table.ts';
import { RejectedDocument, RejectedDocuments } from './rejected-documents.ts';

const MAX_BYTES = 16_000_000;
const ENTRY_BYTES = 1_000;
/** A token with the nodes parsed from it; measured at 90 to 500, the most for a field without arguments. */
const TOKEN_BYTES = 500;
const CHARACTER_BYTES = 2;

/** How documents are parsed and validated. */
interface Engine {
  readonly schema: GraphQLSchema;
  readonly parse: (source: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
}

/**
 * Each document is parsed and validated once for all callers, since neither depends on the caller. The cache is bounded
 * in bytes; plans, which are owned by their document, have a separate limit.
 */
export class DocumentCache {
  readonly #documents = new LRUCache<string, DocumentNode>({ maxSize: MAX_BYTES });
  readonly #rejected: RejectedDocuments;

  constructor(rejected = new RejectedDocuments()) {
    this.#rejected = rejected;
  }

  /**
   * Returns the parsed document. Throws `RejectedDocument` if it is malformed, invalid or too large. `hold` is called
   * with the size of a new document, which stays in memory during the operation whether or not it is cached.
   */
  read(source: string, engine: Engine, hold: (bytes: number) => void): DocumentNode {
    const cached = this.#documents.get(source);
    if (cached) return cached;
    const errors = this.#rejected.get(source);
    if (errors) throw new RejectedDocument(errors);
    const document = parseAndValidate(source, engine);
    if (document instanceof RejectedDocument) {
      this.#rejected.set(source, document.errors);
      throw document;
    }
    const size = sizeOf(document, source);
    hold(size);
    this.#documents.set(source, document, { size });
    return document;
  }

  get size(): CacheSize {
    return { bytes: this.#documents.calculatedSize, entries: this.#documents.size };
  }

  /** The estimated bytes of cached documents, and the limit. */
  get bytes(): { readonly used: number; readonly max: number } {
    return { used: this.#documents.calculatedSize, max: MAX_BYTES };
  }
}

function parseAndValidate(
  source: string,
  { schema, parse, validate }: Engine,
): DocumentNode | RejectedDocument {
  try {
    const document = parse(source);
    const errors = validate(schema, document);
    return errors.length > 0 ? new RejectedDocument(errors.map(publicError)) : document;
  } catch (error) {
    if (error instanceof GraphQLError) return new RejectedDocument([publicError(error)]);
    throw error;
  }
}

/** Counts tokens itself: the parser does not count comments, but keeps them in the linked list of tokens. */
function sizeOf({ loc }: DocumentNode, source: string): number {
  let tokens = 0;
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) tokens += 1;
  return ENTRY_BYTES + source.length * CHARACTER_BYTES + tokens * TOKEN_BYTES;
}
