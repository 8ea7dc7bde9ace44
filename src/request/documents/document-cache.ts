import type { DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { documentBytes } from '../../execution/operation.ts';
import type { CacheSize } from '../../rest/cache/rest-cache.ts';

/** An error with its message and what it refers to; it has no stack. */
const ERROR_BYTES = 5_000;

/**
 * The stores of Yoga's cache of documents, bounded in bytes where its own count entries. Each document is parsed and
 * validated once for all callers, since neither depends on the caller.
 */
export class DocumentCache {
  readonly #valid = new LRUCache<string, DocumentNode>({ maxSize: 16_000_000 });
  /** Not validated yet, or not valid: apart, so that they drive out no valid document. */
  readonly #others = new LRUCache<string, DocumentNode>({ maxSize: 2_000_000 });
  readonly #errors = new LRUCache<string, object>({ maxSize: 2_000_000 });

  readonly documentCache = {
    get: (source: string) => this.#valid.get(source) ?? this.#others.get(source),
    set: (source: string, document: DocumentNode) =>
      void this.#others.set(source, document, { size: documentBytes(document) }),
  };

  /** What could not be parsed: parsing it again takes longer than executing a valid document. */
  readonly errorCache = {
    get: (source: string) => this.#errors.get(source),
    set: (source: string, error: object) =>
      void this.#errors.set(source, error, { size: ERROR_BYTES + 2 * source.length }),
  };

  /** Notes whether a document is valid. Its errors count, since Yoga keeps them as long as the document. */
  validated(document: DocumentNode, errors: readonly GraphQLError[]): void {
    const source = document.loc?.source.body ?? '';
    this.#others.delete(source);
    const size = documentBytes(document) + ERROR_BYTES * errors.length;
    (errors.length === 0 ? this.#valid : this.#others).set(source, document, { size });
  }

  clear(): void {
    for (const cache of [this.#valid, this.#others, this.#errors]) cache.clear();
  }

  get size(): CacheSize {
    return { bytes: this.#valid.calculatedSize, entries: this.#valid.size };
  }
}
