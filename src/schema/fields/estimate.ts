import { compositeKey } from '../../composite-key.ts';
import { BY_ID } from '../../rest/lookup.ts';
import { MAX_VALUES, roomForValues } from '../../rest/query.ts';
import { encodedLength } from '../../rest/url.ts';

/** The bytes of an id that is not known before it is read, on average in a URL: longer than a UUID. */
const UNKNOWN_ID_BYTES = 64;

/** What is known before execution about the records that a selection will be applied to. */
export interface CostScope {
  /** The read that returns them. Nested reads are batched if they have the same origin. */
  readonly origin: string;
  /** Their maximum number. */
  readonly records: number;
  /** For a connection: the maximum number of rows in each of its lists. */
  readonly rows: number;
  /** The one administration they belong to, if the operation names it. */
  readonly administration: string | undefined;
  /** The maximum number of administrations they belong to. */
  readonly administrations: number;
  /** Whether they are those of one administration of a token, which may reach any number of them. */
  readonly isUnbounded: boolean;
  readonly maxFirst: number;
}

/** REST calls that are made once for all fields with a read of the same name: a number of them, and lookups of keys. */
export interface Read {
  readonly name: string;
  readonly calls?: number;
  readonly keys?: readonly string[];
  /** The length available for keys in one URL; none if each needs a call of its own. */
  readonly room?: number;
  /** The number of administrations in which each key is looked up. */
  readonly times?: number;
}

/** The most REST calls that a field makes. */
export interface Estimate {
  readonly reads: readonly Read[];
  /** The number of objects that the field returns for each record; 1 if absent. */
  readonly items?: number;
  /** For an abstract type: the object types that the field returns, if known. */
  readonly types?: ReadonlySet<string>;
  /** The scope of the nested selection, where it differs from that of the field. What is undefined does not. */
  readonly scope?: Partial<Omit<CostScope, 'records' | 'maxFirst'>>;
}

/** Of a field that execution rejects before any call. */
export const NOTHING_READ: Estimate = { reads: [], items: 0 };

/** A lookup by keys in the operation: one read for all fields that use the same filter. */
export function lookupCost(
  type: string,
  filter: string,
  keys: readonly string[],
  { origin: parent, records, administration, administrations }: CostScope,
): Estimate {
  const origin = compositeKey('lookup', type, filter, administration, parent);
  const times = administration === undefined ? Math.min(records, administrations) : 1;
  // Of other keys than ids, the records of one may fill a page, and so the page of each call.
  const room = filter === BY_ID.filter ? roomForValues(encodedLength(administration ?? '')) : 0;
  return {
    reads: [{ name: origin, keys, room, times }],
    scope: { origin, administration, administrations: times },
  };
}

/** One lookup for the records that all parent rows refer to. */
export function joinCost(type: string) {
  return (_args: unknown, scope: CostScope): Estimate => {
    const { origin: parent, records, administration, administrations } = scope;
    const origin = compositeKey('lookup', type, BY_ID.filter, administration, parent);
    const others = administration === undefined ? UNKNOWN_ID_BYTES : encodedLength(administration);
    const keysPerCall = Math.floor(roomForValues(others) / (UNKNOWN_ID_BYTES + 1));
    // Each administration has its own lookup, and the last call of each may have fewer keys than fit.
    const lookups = administration === undefined ? administrations : 1;
    const calls = Math.ceil(records / Math.max(1, Math.min(MAX_VALUES, keysPerCall))) + lookups - 1;
    return { reads: [{ name: origin, calls: Math.min(records, calls) }], scope: { origin } };
  };
}

/** For a write or another call that is never batched. */
export function singleCallCost(_args: unknown, { origin: parent }: CostScope): Estimate {
  const origin = compositeKey('call', parent);
  return { reads: [{ name: origin, calls: 1 }], scope: { origin } };
}

/** Undefined where what is given is invalid, which is an error only when the field is executed. */
export function ifValid<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
