import { compositeKey } from '../../composite-key.ts';
import { BY_ID } from '../../rest/lookup.ts';
import { MAX_VALUES, roomForValues } from '../../rest/query.ts';
import { encodedLength, isSendable, isSendableItem } from '../../rest/url.ts';

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
  /** The administrations whose records are certain to be there; undefined for no single one, as at the root. */
  readonly certain: readonly (string | undefined)[];
  /** Whether they come from a read that is made for each row of a list. */
  readonly isRepeated: boolean;
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

/** A call that is needed if nothing is cached. Reads of one name share it: equal calls under way are sent once. */
export interface LeastRead {
  readonly name: string;
  /** The values that its calls have to ask for together; if absent, it is one call. */
  readonly values?: readonly string[];
  /** The type that is read, where the field may return several: there is no call if it is none of them. */
  readonly type?: string;
}

export interface Estimate {
  readonly reads: readonly Read[];
  /** The calls that these reads need in any case, if the field is resolved at all; none if absent. */
  readonly least?: () => readonly LeastRead[];
  /** The number of objects that the field returns for each record; 1 if absent. */
  readonly items?: number;
  /** For an abstract type: the object types that the field returns, if known. */
  readonly types?: ReadonlySet<string>;
  /** The number of values in its arguments, each of which takes time to process. */
  readonly values?: number;
  /** The scope of the nested selection, where it differs from that of the field. What is undefined does not. */
  readonly scope?: Partial<Omit<CostScope, 'records' | 'certain' | 'isRepeated' | 'maxFirst'>> & {
    /** By object type. If absent, nothing that a field reads is certain to be there, and all else as its parent is. */
    readonly certain?: (type: string) => CostScope['certain'];
  };
}

/** Of a field that execution rejects before any call. */
export const NOTHING_READ: Estimate = { reads: [], items: 0, scope: { certain: () => [] } };

/** Records that are looked up by values of one filter. */
interface Lookup {
  readonly type: string;
  readonly filter: string;
  readonly keys: readonly string[];
}

/** A lookup by keys in the operation: one read for all fields that use the same filter. */
export function lookupCost({ type, filter, keys }: Lookup, scope: CostScope): Estimate {
  const { origin, records, administration, administrations } = scope;
  const name = lookupName(type, filter, administration, origin);
  const times = administration === undefined ? Math.min(records, administrations) : 1;
  // Of other keys than ids, the records of one may fill a page, and so the page of each call.
  const room = filter === BY_ID.filter ? roomForValues(encodedLength(administration ?? '')) : 0;
  return {
    reads: [{ name, keys, room, times }],
    scope: { origin: name, administration, administrations: times },
  };
}

/** The least calls of a lookup in one administration. Values that cannot be sent fail alone. */
export function leastOfLookup({ type, filter, keys }: Lookup, administration: string): LeastRead[] {
  if (administration === '' || !isSendable(administration)) return [];
  const values = keys.filter(isSendableItem);
  return values.length === 0 ? [] : [{ name: leastName(type, administration, [filter]), values, type }];
}

/** The values of list filters are no part of it: they are sent in parts, and a part may be equal to another list. */
export function leastName(
  type: string,
  administration: string | undefined,
  listFilters: readonly string[],
  others = '',
): string {
  return compositeKey(type, administration, listFilters.join(), others);
}

/** Lookups with the same name are batched. */
function lookupName(type: string, filter: string, administration: string | undefined, origin: string) {
  return compositeKey('lookup', type, filter, administration, origin);
}

/** One lookup for the records that all parent rows refer to. */
export function joinCost(type: string) {
  return (_args: unknown, scope: CostScope): Estimate => {
    const { origin, records, administration, administrations } = scope;
    const administrationBytes =
      administration === undefined ? UNKNOWN_ID_BYTES : encodedLength(administration);
    const room = roomForValues(administrationBytes);
    const keysPerCall = Math.max(1, Math.min(MAX_VALUES, Math.floor(room / (UNKNOWN_ID_BYTES + 1))));
    const name = lookupName(type, BY_ID.filter, administration, origin);
    // Each administration has its own lookup, and the last call of each may have fewer keys than fit.
    const lookups = administration === undefined ? administrations : 1;
    const calls = Math.min(records, Math.ceil(records / keysPerCall) + lookups - 1);
    return { reads: [{ name, calls }], scope: { origin: name } };
  };
}

/** For a write or another call that is never batched. */
export function singleCallCost(_args: unknown, { origin }: CostScope): Estimate {
  const name = compositeKey('call', origin);
  return { reads: [{ name, calls: 1 }], least: () => [{ name }], scope: { origin: name } };
}

/** Far more than an operation may read from: to count them all would take as long as a large answer. */
const MOST_ADMINISTRATIONS = 1_000;

/** The least calls of a field: those in each administration that it certainly reads from, unless execution rejects it. */
export function leastInEach(
  { certain }: CostScope,
  least: (administration: string | undefined) => readonly LeastRead[],
): LeastRead[] {
  return certain
    .slice(0, MOST_ADMINISTRATIONS)
    .flatMap((administration) => ifValid(() => least(administration)) ?? []);
}

/** Undefined where what is given is invalid, which is an error only when the field is executed. */
export function ifValid<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
