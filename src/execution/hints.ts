interface Extended {
  readonly extensions: { readonly [name: string]: unknown };
}

/** What a schema tells the execution, in `extensions`. */
export interface ExecutionHints {
  /** On a scalar: text goes into the response as it is. */
  readonly passesText?: boolean;
  /** On a field: its resolver asks for REST records, which are fetched in one batch where it is called in one turn. */
  readonly isBatched?: boolean;
}

export function executionHints(hints: ExecutionHints): { readonly [name: string]: unknown } {
  return { ...hints };
}

export function passesText({ extensions }: Extended): boolean {
  return extensions.passesText === true;
}

export function isBatched({ extensions }: Extended): boolean {
  return extensions.isBatched === true;
}
