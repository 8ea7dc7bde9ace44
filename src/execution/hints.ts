interface Extended {
  readonly extensions: { readonly [name: string]: unknown };
}

/** What a schema declares for the executor, in `extensions`. */
export interface ExecutionHints {
  /** On a scalar: its values are strings, which go into the response unchanged. */
  readonly isStringScalar?: boolean;
  /** On a field: its resolver loads REST records, and calls in the same tick share a batch. */
  readonly isBatched?: boolean;
}

export function executionHints(hints: ExecutionHints): { readonly [name: string]: unknown } {
  return { ...hints };
}

export function isStringScalar({ extensions }: Extended): boolean {
  return extensions.isStringScalar === true;
}

export function isBatched({ extensions }: Extended): boolean {
  return extensions.isBatched === true;
}
