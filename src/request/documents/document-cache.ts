import type { DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../rest/cache/rest-cache.ts';

const MAX_DOCUMENT_BYTES = 16_000_000;
/** What is refused has a smaller part of its own, so that it drives out no valid document. */
const MAX_REFUSED_BYTES = 2_000_000;
const ENTRY_BYTES = 1_000;
/** A token with the nodes parsed from it; measured at 90 to 500, the most for a field without arguments. */
const TOKEN_BYTES = 500;
const CHARACTER_BYTES = 2;
/** An error beside its message; it has no stack. */
const ERROR_BYTES = 3_000;

/**
 * The stores of Yoga's cache of documents, bounded in bytes where its own count entries. Each document is parsed and
 * validated once for all callers, since neither depends on the caller.
 */
export class DocumentCache {
  readonly #valid = new LRUCache<string, DocumentNode>({ maxSize: MAX_DOCUMENT_BYTES });
  /** Not validated yet, or not valid. */
  readonly #others = new LRUCache<string, DocumentNode>({ maxSize: MAX_REFUSED_BYTES });
  readonly #errors = new LRUCache<string, object>({ maxSize: MAX_REFUSED_BYTES });

  readonly documentCache = {
    get: (source: string) => this.#valid.get(source) ?? this.#others.get(source),
    set: (source: string, document: DocumentNode) =>
      void this.#others.set(source, document, { size: documentBytes(document) }),
  };

  /** What could not be parsed: parsing it again takes longer than executing a valid document. */
  readonly errorCache = {
    get: (source: string) => this.#errors.get(source),
    set: (source: string, error: unknown) => {
      // The error refers to the source, for its locations.
      const size = ERROR_BYTES + (source.length + String(error).length) * CHARACTER_BYTES;
      if (error instanceof Error) this.#errors.set(source, error, { size });
    },
  };

  /** Notes whether a document is valid. Its errors count, since Yoga keeps them as long as the document. */
  validated(document: DocumentNode, errors: readonly GraphQLError[]): void {
    const source = document.loc?.source.body ?? '';
    this.#others.delete(source);
    let size = documentBytes(document);
    for (const { message } of errors) size += ERROR_BYTES + message.length * CHARACTER_BYTES;
    const cache = errors.length === 0 ? this.#valid : this.#others;
    cache.set(source, document, { size });
  }

  clear(): void {
    for (const cache of [this.#valid, this.#others, this.#errors]) cache.clear();
  }

  get size(): CacheSize {
    return { bytes: this.#valid.calculatedSize, entries: this.#valid.size };
  }
}

/** Counts tokens itself: the parser does not count comments, but keeps them in the linked list of tokens. */
function documentBytes({ loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) tokens += 1;
  return ENTRY_BYTES + (loc?.source.body.length ?? 0) * CHARACTER_BYTES + tokens * TOKEN_BYTES;
}
