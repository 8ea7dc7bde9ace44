import { BY_ID } from '../rest/lookup.ts';
import { MAX_VALUES, roomForValues } from '../rest/query.ts';
import { encodedLength } from '../rest/url.ts';
import type { Assumptions } from './assumptions.ts';

/** What is known, before anything runs, of the records that a selection will be applied to. */
export interface Scope {
  /** What they are read by. Reads below one origin are made together, and those below two are not. */
  readonly origin: string;
  /** How many they are, at most. */
  readonly records: number;
  /** Of a connection: how many rows each of its lists may have. */
  readonly rows: number;
  /** The one administration they belong to, where the operation says which. */
  readonly administration?: string;
  /** How many administrations they spread over, at most. */
  readonly administrations: number;
  /** The most rows that one list may ask for. */
  readonly maxFirst: number;
  readonly assumptions: Assumptions;
}

/** REST calls that are made once, however many fields ask for them: those of one name. */
export interface Read {
  readonly name: string;
  readonly calls: number | KeyedCalls;
}

/** A lookup, whose keys add up over the fields that share it. */
export interface KeyedCalls {
  readonly keys: readonly string[];
  /** For keys in one URL. */
  readonly room: number;
  /** In how many administrations each key is looked up. */
  readonly times: number;
}

export interface Estimate {
  readonly reads: readonly Read[];
  /** How many objects the field gives for each record; 1 where that is not said. */
  readonly items?: number;
  /** Of an abstract type: the object types that the field gives, where that is known. */
  readonly types?: ReadonlySet<string>;
  /** Values of its arguments, each of which takes time to read. */
  readonly values?: number;
  /** What is known of the records inside, where it differs from outside. */
  readonly scope?: Partial<Scope>;
}

/** Records looked up by keys that the operation names: one read for all fields that ask by the same kind of key. */
export function lookupCost(
  {
    type,
    filter,
    keys,
  }: { readonly type: string; readonly filter: string; readonly keys: readonly string[] },
  { origin, records, administration, administrations }: Omit<Scope, 'rows' | 'maxFirst' | 'assumptions'>,
): Estimate {
  const name = lookupName(type, filter, administration, origin);
  const times = administration === undefined ? Math.min(records, administrations) : 1;
  const room = roomForValues(encodedLength(administration ?? ''));
  return {
    reads: [{ name, calls: { keys, room, times } }],
    scope: { origin: name, ...(administration !== undefined && { administration }), administrations: times },
  };
}

/** Lookups of one name are made together. */
function lookupName(type: string, filter: string, administration: string | undefined, origin: string) {
  return `${type} by ${filter} in ${administration} after ${origin}`;
}

/** One lookup for the records that all rows outside point to. */
export function joinCost(type: string) {
  return (_args: unknown, scope: Scope): Estimate => {
    const { origin, records, administration, administrations, assumptions } = scope;
    const { joinKeyLength } = assumptions;
    const room = roomForValues(administration === undefined ? joinKeyLength : encodedLength(administration));
    const keysPerCall = Math.max(1, Math.min(MAX_VALUES, Math.floor(room / (joinKeyLength + 1))));
    const name = lookupName(type, BY_ID.filter, administration, origin);
    // Each administration is a lookup of its own, whose last call may be no full one.
    const lookups = administration === undefined ? administrations : 1;
    const calls = Math.min(records, Math.ceil(records / keysPerCall) + lookups - 1);
    return { reads: [{ name, calls }], scope: { origin: name } };
  };
}

/** A write, or another call that is never shared. */
export function oneCall(_args: unknown, { origin }: Scope): Estimate {
  const name = `call of ${origin}`;
  return { reads: [{ name, calls: 1 }], scope: { origin: name } };
}
