/** Outcome of one REST call, or of one attempt; contains no secrets. */
export interface CallRecord {
  readonly call: CallDescription;
  readonly source: 'network' | 'cache' | 'coalesced';
  status: number | null;
  milliseconds: number | null;
  bytes: number | null;
  rows: number | null;
}

/** The part of a call that may be shown to the caller. */
export interface CallDescription {
  readonly method: string;
  readonly path: string;
  readonly parameters: { readonly [name: string]: unknown };
}

export function elapsed(start: number): number {
  return Math.round((performance.now() - start) * 100) / 100;
}
