import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PublicError } from '../errors.ts';

const MAX_BYTES = 2_000_000;
/** The key, and what the cache and the objects take around the text of the errors. */
const ENTRY_BYTES = 500;
const ERROR_BYTES = 500;

/** A document that is not executed, with the errors that say why. */
export class RejectedDocument extends Error {
  override readonly name = 'RejectedDocument';
  readonly errors: readonly PublicError[];

  constructor(errors: readonly PublicError[]) {
    super('rejected');
    this.errors = errors;
  }
}

/**
 * Why documents were rejected: to reject one anew each time takes longer than to run one that is cached. By a hash of
 * the text, since the errors of a document are short and the document may be long.
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

  /** The bytes that cached errors count for, and the bound. */
  get bytes(): { readonly used: number; readonly max: number } {
    return { used: this.#errors.calculatedSize, max: MAX_BYTES };
  }
}

function hashOf(source: string): string {
  return createHash('sha256').update(source).digest('base64');
}

function sizeOf(errors: readonly PublicError[]): number {
  let bytes = ENTRY_BYTES;
  for (const error of errors) bytes += ERROR_BYTES + 2 * JSON.stringify(error).length;
  return bytes;
}
