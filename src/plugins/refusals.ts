import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ShownError } from '../errors.ts';

const MAX_BYTES = 2_000_000;
/** The key, and what the cache and the objects take around the text of the errors. */
const ENTRY_BYTES = 500;
const ERROR_BYTES = 500;

/** A document that is not run, as callers are told. */
export class RefusedDocument extends Error {
  override readonly name = 'RefusedDocument';
  readonly errors: readonly ShownError[];

  constructor(errors: readonly ShownError[]) {
    super('refused');
    this.errors = errors;
  }
}

export interface Refusals {
  of(source: string): readonly ShownError[] | undefined;
  keep(source: string, errors: readonly ShownError[]): void;
  /** What is kept counts for, of how much it may. */
  bytes(): { readonly kept: number; readonly most: number };
}

/**
 * Why documents were refused: to refuse one anew each time takes longer than to run one that is known. By a hash of
 * the text, since the errors of a document are short and the document may be long.
 */
export function createRefusals(): Refusals {
  const known = new LRUCache<string, readonly ShownError[]>({ maxSize: MAX_BYTES, sizeCalculation: bytesOf });
  return {
    of: (source) => known.get(hashOf(source)),
    keep: (source, errors) => void known.set(hashOf(source), errors),
    bytes: () => ({ kept: known.calculatedSize, most: MAX_BYTES }),
  };
}

function hashOf(source: string): string {
  return createHash('sha256').update(source).digest('base64');
}

function bytesOf(errors: readonly ShownError[]): number {
  let bytes = ENTRY_BYTES;
  for (const error of errors) bytes += ERROR_BYTES + 2 * JSON.stringify(error).length;
  return bytes;
}
