import type { RestError } from '../../rest/errors.ts';

/** Only `failed` counts as a fault and makes the command fail. */
export type Outcome = 'passed' | 'warned' | 'failed' | 'skipped';

/** The result of one check. */
export interface Finding {
  /** The name of the check. */
  readonly check: string;
  /** The list that a checked filter belongs to. */
  readonly list?: string;
  readonly outcome: Outcome;
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
  /** The filter whose parameter name the service does not recognise. */
  readonly unrecognisedFilter?: FilterReference;
}

export interface FilterReference {
  readonly list: string;
  readonly argument: string;
}

/** Called with the subject of each check before it starts. */
export type OnProgress = (subject: string) => void;

export function passed(check: string, message: string): Finding {
  return { check, outcome: 'passed', message };
}

export function warned(check: string, message: string, advice: string): Finding {
  return { check, outcome: 'warned', message, advice };
}

export function failed(check: string, message: string, advice?: string): Finding {
  return { check, outcome: 'failed', message, ...(advice !== undefined && { advice }) };
}

/** For a check that was not made, was inconclusive or does not apply. */
export function skipped(check: string, message: string): Finding {
  return { check, outcome: 'skipped', message };
}

/** The service's own message if it sent one, since that is the most specific; otherwise the gateway's. */
export function messageOf({ upstream, message }: RestError): string {
  return upstream?.message ?? message;
}
