import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PublicError } from '../plugins/errors.ts';

const MAX_BYTES = 2_000_000;
/** The key and the overhead of the cache entry; and of each error, besides its text. */
const ENTRY_BYTES = 500;
const ERROR_BYTES = 500;

/** Thrown for a document that cannot be parsed or is invalid. */
export class RejectedDocument extends Error {
  override readonly name = 'RejectedDocument';
  readonly errors: readonly PublicError[];

  constructor(errors: readonly PublicError[]) {
    super('rejected');
    this.errors = errors;
  }
}

/**
 * Caches the errors of rejected documents: validating one again takes longer than executing a cached one. Keyed by a
 * hash of the text, since the document may be much longer than its errors.
 */
export class RejectedDocuments {
  readonly #errors = new LRUCache<string, readonly PublicError[]>({
    maxSize: MAX_BYTES,
    sizeCalculation: sizeOf,
  });

  get(source: string): readonly PublicError[] | undefined {
    return this.#errors.get(hashOf(source));
  }

  set(source: string, errors: readonly PublicError[]): void {
    this.#errors.set(hashOf(source), errors);
  }

  /** The estimated bytes of cached errors, and the limit. */
  get bytes(): { readonly used: number; readonly max: number } {
    return { used: this.#errors.calculatedSize, max: MAX_BYTES };
  }
}

/** Of its UTF-16: in UTF-8 each half of a surrogate pair would become U+FFFD, which a valid document may hold. */
function hashOf(source: string): string {
  return createHash('sha256').update(source, 'utf16le').digest('base64');
}

function sizeOf(errors: readonly PublicError[]): number {
  let bytes = ENTRY_BYTES;
  for (const error of errors) bytes += ERROR_BYTES + 2 * JSON.stringify(error).length;
  return bytes;
}
