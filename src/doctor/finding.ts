import type { RestError } from '../rest/errors.ts';

/** What a check came to. Only `failed` is a fault. */
export type Outcome = 'passed' | 'warned' | 'failed' | 'skipped';

export interface Finding {
  /** What was checked. */
  readonly check: string;
  /** The list it is a filter of. */
  readonly list?: string;
  readonly outcome: Outcome;
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
  /** The parameter that seems to have another name than the gateway uses. */
  readonly misnamed?: Misnamed;
}

/** Told what is being checked, before it is. */
export type Step = (what: string) => void;

export interface Misnamed {
  readonly list: string;
  readonly argument: string;
}

export function passed(check: string, found: string): Finding {
  return { check, outcome: 'passed', found };
}

export function warned(check: string, found: string, advice: string): Finding {
  return { check, outcome: 'warned', found, advice };
}

export function failed(check: string, found: string, advice?: string): Finding {
  return { check, outcome: 'failed', found, ...(advice !== undefined && { advice }) };
}

/** Something that could not be found out, or need not be. */
export function skipped(check: string, found: string): Finding {
  return { check, outcome: 'skipped', found };
}

/** The service's own words for a failure, which say the most, or ours. */
export function wordsOf({ upstream, message }: RestError): string {
  return upstream?.message ?? message;
}
