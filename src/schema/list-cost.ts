import { compositeKey } from '../composite-key.ts';
import { BY_ID, onlyId } from '../rest/lookup.ts';
import { countParts, cursorRoom, DEFAULT_FIRST, MAX_PER_PAGE, roomForValues } from '../rest/query.ts';
import type { Resource } from '../rest/resource.ts';
import { encodedLength } from '../rest/url.ts';
import { estimatedAdministration } from './administration.ts';
import { positionIn } from './cursor.ts';
import { type Estimate, joinCost, lookupCost, type Read, type Scope } from './estimate.ts';
import { internalIdOrText } from './global-id.ts';
import { type Arguments, amongOf, isOrdered } from './list-arguments.ts';
import { MAX_LOOKED_UP } from './whole-list.ts';

/** What `totals` and `groups` cost: the list is read whole, once for both. */
export function wholeCost(_args: unknown, { whole }: Scope): Estimate {
  return { reads: whole ? [whole] : [] };
}

/** Arguments that are not sent to the service. */
const NO_FILTERS = new Set(['first', 'after', 'where', 'orderBy', 'among']);

/** One call per page, or per part of a filter list that is too long for one URL. */
export function listCost(resource: Resource, args: Arguments, scope: Scope): Estimate {
  const requested = typeof args.first === 'number' ? args.first : DEFAULT_FIRST;
  // Execution rejects this before any call.
  if (requested < 1 || requested > scope.maxFirst) return { reads: [], items: 0 };
  // Each id matches at most one record.
  const rows = Array.isArray(args.ids) ? Math.min(requested, args.ids.length) : requested;
  const administration = estimatedAdministration(args, scope);
  const filters: Record<string, unknown> = {};
  for (const name in args) {
    const value = args[name];
    // A null filter is the same as no filter.
    if (NO_FILTERS.has(name) || value === null) continue;
    if (Array.isArray(value) && value.length > scope.maxFirst) return { reads: [], items: 0 };
    filters[name] = value;
  }
  // Measured as they are sent: a global id is several times as long as the id that it contains.
  if (Array.isArray(filters.ids)) filters.ids = filters.ids.map(internalIdOrText);
  const { lists, values, otherLength } = measureFilters(filters);
  const position = typeof args.after === 'string' ? positionIn(args.after) : undefined;
  const cursors = cursorRoom(Array.isArray(filters.ids) ? { ids: filters.ids } : {}, position?.cursor);
  const room = roomForValues(otherLength, cursors);
  const parts = Math.max(...lists.map((list) => countParts(list, room)), 1);
  const times = administration === undefined ? Math.min(scope.records, scope.administrations) : 1;
  const whole = wholeRead(resource, args, { filters, parts, times, administration, origin: scope.origin });
  if (isOrdered(args)) return orderedCost(resource, { rows, values, whole, administration, times }, scope);
  const id = args.after ? undefined : onlyId(resource, filters);
  if (id !== undefined) {
    const lookup = { type: resource.type, filter: BY_ID.filter, keys: [id] };
    const estimate = lookupCost(lookup, scope, administration);
    return { ...estimate, values, scope: { ...estimate.scope, rows, whole } };
  }
  // The administration is in the name already, in whichever form it was given.
  delete filters.administrationId;
  const name = compositeKey(
    'list',
    resource.name,
    administration,
    scope.origin,
    JSON.stringify([filters, args.after]),
  );
  const pages = Math.ceil(rows / MAX_PER_PAGE);
  // Behind a cursor of a list that fitted into one URL with fewer fields, each page of ids is read first.
  const idPages = parts > 1 && position?.part === null ? pages : 0;
  return {
    reads: [{ name, calls: times * (pages + parts - 1 + idPages) }],
    values,
    scope: { origin: name, rows, administration, administrations: times, whole },
  };
}

interface WholeList {
  readonly filters: Arguments;
  readonly parts: number;
  readonly times: number;
  readonly administration: string | undefined;
  readonly origin: string;
}

/** The walk through all of a list, which is the same for all that needs it. */
function wholeRead(
  resource: Resource,
  args: Arguments,
  { filters, parts, times, administration, origin }: WholeList,
): Read {
  const { administrationId: _, ...others } = filters;
  const among = amongOf(args);
  const rows = Array.isArray(filters.ids) ? Math.min(among, filters.ids.length) : among;
  return {
    name: compositeKey('whole', resource.name, administration, origin, JSON.stringify(others)),
    calls: times * (Math.ceil(rows / MAX_PER_PAGE) + parts - 1),
  };
}

/** To tell ordered lists apart: they are ready in different turns of the event loop, so they share no lookups. */
let orderedLists = 0;

/** The walk, and the lookup of what the rows of a short page lack. */
function orderedCost(
  { type, filters }: Resource,
  list: {
    readonly rows: number;
    readonly values: number;
    readonly whole: Read;
    readonly administration: string | undefined;
    readonly times: number;
  },
  scope: Scope,
): Estimate {
  const { rows, values, whole, administration, times } = list;
  orderedLists += 1;
  const own = {
    origin: compositeKey('ordered', String(orderedLists)),
    administration,
    administrations: times,
  };
  const isLookedUp = filters.ids !== undefined && rows <= MAX_LOOKED_UP;
  const lookups = isLookedUp
    ? joinCost(type)(undefined, { ...scope, ...own, records: rows * times }).reads
    : [];
  return { reads: [whole, ...lookups], values, scope: { ...own, rows, whole } };
}

/** The list filters, their number of values, and the URL length of all filters except the longest. */
function measureFilters(filters: Arguments) {
  const lists: string[][] = [];
  let values = 0;
  const lengths: number[] = [];
  for (const value of Object.values(filters)) {
    if (Array.isArray(value)) {
      const list = value.map(String);
      lists.push(list);
      values += list.length;
      lengths.push(list.reduce((sum, item) => sum + encodedLength(item) + 1, 0));
    } else if (typeof value === 'string') lengths.push(encodedLength(value));
  }
  const sum = lengths.reduce((total, length) => total + length, 0);
  return { lists, values, otherLength: lists.length > 0 ? sum - Math.max(...lengths) : sum };
}
