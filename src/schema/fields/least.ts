import { compositeKey } from '../../composite-key.ts';
import { weakMemoize } from '../../memoize.ts';
import type { ListRequest } from '../../rest/list.ts';
import type { ListPosition } from '../../rest/list-pages.ts';
import { cursorRoom, leastParts, MAX_VALUES, roomForValues } from '../../rest/query.ts';
import type { Resource } from '../../rest/resource.ts';
import { encodedLength, isSendable, isSendableItem } from '../../rest/url.ts';

/**
 * A REST call that an operation cannot do without, if nothing is cached. Reads of the same name may share their calls,
 * wherever they stand in the operation, since an equal call that is under way is not sent again.
 */
export interface LeastRead {
  readonly name: string;
  /** The values that its calls have to ask for together; if absent, it is one call. */
  readonly values?: readonly string[];
  /** The type that is read, where the field may return several: there is no call if it is none of them. */
  readonly type?: string;
}

/**
 * The least calls of a list; none if it fails before the first, or may do so. The values of a list filter are no part of
 * the name, since they are sent in parts, and a part may be equal to another list.
 */
export function leastOfList({ type }: Resource, { filters, first, after }: ListRequest): LeastRead[] {
  const texts: Record<string, string> = {};
  const lists: Record<string, Values> = {};
  for (const argument in filters) {
    const value = filters[argument];
    if (typeof value === 'string') texts[argument] = value;
    else if (value !== undefined) lists[argument] = valuesOf(value);
  }
  const values = Object.values(lists);
  const single = Object.values(texts);
  if (after) single.push(after.cursor);
  if (!single.every(isSendable) || !values.every((list) => list.areSendable)) return [];
  const lengths = measure(values, single);
  const room = roomForValues(0, cursorRoom({}, after?.cursor)) - (lists.ids?.longest ?? 0);
  if (lengths.split > room || (after && !isSurelyIn(after, values, lengths.whole <= room))) return [];
  const { administrationId, ...others } = texts;
  const name = nameOf(type, administrationId, Object.keys(lists), JSON.stringify([others, after?.cursor]));
  const [only, ...more] = values;
  if (only === undefined || more.length > 0 || after) return [{ name }];
  // As if each value had one row, parts are read until there are enough, and one row more.
  return [{ name, values: only.distinct.slice(0, first + 1) }];
}

/** The least calls of a lookup by values of one filter. Values that cannot be sent fail alone. */
export function leastOfLookup(
  type: string,
  filter: string,
  values: readonly string[],
  administration: string,
): LeastRead[] {
  if (administration === '' || !isSendable(administration)) return [];
  const sent = values.filter(isSendableItem);
  return sent.length === 0 ? [] : [{ name: nameOf(type, administration, [filter]), values: sent, type }];
}

function nameOf(type: string, administration: string | undefined, filters: readonly string[], others = '') {
  return compositeKey(type, administration, filters.join(), others === NO_OTHERS ? '' : others);
}

const NO_OTHERS = JSON.stringify([{}, undefined]);

/** The values of a list filter, as they are sent. */
interface Values {
  readonly distinct: readonly string[];
  readonly areSendable: boolean;
  /** In a URL, of all and of the longest. */
  readonly length: number;
  readonly longest: number;
}

/** Memoized: all aliases that use the same variable share one array. */
const valuesOf = weakMemoize((values: readonly string[]): Values => {
  const distinct = [...new Set(values)];
  const areSendable = distinct.length > 0 && distinct.every(isSendableItem);
  let length = 0;
  let longest = 0;
  for (const value of distinct) {
    const own = encodedLength(value) + 1;
    length += own;
    longest = Math.max(longest, own);
  }
  return { distinct, areSendable, length, longest };
});

/** The length of all values in one URL, and of what each URL has at least if the longest list is split. */
function measure(lists: readonly Values[], texts: readonly string[]) {
  let whole = texts.reduce((sum, text) => sum + encodedLength(text), 0);
  let longest = 0;
  let item = 0;
  for (const list of lists) {
    whole += list.length;
    longest = Math.max(longest, list.length);
    item = Math.max(item, list.longest);
  }
  const isShort = lists.every(({ distinct }) => distinct.length <= MAX_VALUES);
  return { whole: isShort ? whole : Number.POSITIVE_INFINITY, split: whole - longest + item };
}

/** Whether the list has the part of this position. */
function isSurelyIn({ part }: ListPosition, lists: readonly Values[], isWhole: boolean): boolean {
  if (part === null || lists.length !== 1) return isWhole && (part ?? 0) === 0;
  return lists.every(({ distinct }) => part < leastParts(distinct));
}
