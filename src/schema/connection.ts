import type { InputFieldMap, ObjectRef } from '@pothos/core';
import { compositeKey } from '../composite-key.ts';
import { badInput, RestError } from '../rest/errors.ts';
import type { Fields } from '../rest/fields.ts';
import type { ListRequest } from '../rest/list.ts';
import { type Edge, edgesOf, endsOf, type List, positionOf, rowsOf } from '../rest/list-pages.ts';
import { BY_ID, onlyId } from '../rest/lookup.ts';
import { countParts, cursorRoom, DEFAULT_FIRST, MAX_PER_PAGE, roomForValues } from '../rest/query.ts';
import type { FilterValues, ReadRow, Resource, Row } from '../rest/resource.ts';
import { encodedLength } from '../rest/url.ts';
import { weakMemoize } from '../weak-memoize.ts';
import {
  Administration,
  administrationArgument,
  administrationId,
  estimatedAdministration,
  leastInEach,
} from './administration.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { cursorOf, decodeCursor, positionIn } from './cursor.ts';
import { type Estimate, lookupCost, type Scope } from './estimate.ts';
import { internalIds, internalIdsOrTexts } from './global-id.ts';
import { leastOfList } from './least.ts';
import { listLoader } from './list-loader.ts';
import { computed, restMetadata } from './metadata.ts';
import { selectionOf } from './selection.ts';

/** An invalid row is an Error in the list, which the executor reports at its path. */
type NodeRef = ObjectRef<typeof builder.$inferSchemaTypes, ReadRow<Row>>;

interface Arguments {
  readonly [name: string]: unknown;
}

const pageArguments = builder.args((t) => ({
  first: t.int({
    defaultValue: DEFAULT_FIRST,
    description: 'How many records: 1 to 10,000, unless the gateway has another MAX_FIRST.',
  }),
  after: t.string({ description: 'The cursor of the record after which to start.' }),
}));

/**
 * Adds a resource as a connection to `Query`, and to `Administration` if its records belong to one. `filters` are
 * GraphQL arguments, each with a filter of the same name in the resource.
 */
export function exposeList(
  resource: Resource,
  node: NodeRef,
  { description, filters }: { readonly description: string; readonly filters: InputFieldMap },
): void {
  const load = listLoader(resource);
  const inAdministration = resource.filters.administrationId !== undefined;
  const options = {
    type: connectionType(node),
    // Nullable, so that an error in one list does not affect the fields beside it.
    nullable: true,
    description,
    extensions: restMetadata({
      listedResource: resource,
      cost: (args, scope) => ({
        ...listCost(resource, args, scope),
        least: () =>
          leastInEach(args, scope, (administrationId) =>
            leastOfList(resource, requestOf(resource, { ...args, administrationId }, scope.maxFirst, {})),
          ),
      }),
    }),
  } as const;

  builder.queryField(resource.name, (t) =>
    t.field({
      ...options,
      args: { ...(inAdministration && administrationArgument), ...filters, ...pageArguments },
      resolve: (_root, args: Arguments, context, info) =>
        load(context, requestOf(resource, args, context.maxFirst, selectionOf(info))),
    }),
  );
  if (!inAdministration) return;
  builder.objectField(Administration, resource.name, (t) =>
    t.field({
      ...options,
      args: { ...filters, ...pageArguments },
      resolve: ({ id }, args: Arguments, context, info) =>
        load(
          context,
          requestOf(
            resource,
            { ...args, administrationId: context.rest.text.decode(id) },
            context.maxFirst,
            selectionOf(info),
          ),
        ),
    }),
  );
}

type PageInfoShape = Pick<List<Row>, 'hasNextPage' | 'hasPreviousPage'> & ReturnType<typeof endsOf<Row>>;

const PageInfo = builder.objectRef<PageInfoShape>('PageInfo').implement({
  description: 'Where a part of a list begins and ends.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', {
      nullable: false,
      description: 'Whether more records follow: ask for them with `after: endCursor`.',
    }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      nullable: false,
      description: 'Whether this part starts behind a cursor. Lists are read forward only.',
    }),
    startCursor: t.string({
      description: 'The cursor of the first record, or null where there is none.',
      ...computed(({ start }, context) => start && cursorTo(start, context)),
    }),
    endCursor: t.string({
      description: 'The cursor of the last record, or null where there is none.',
      ...computed(({ end }, context) => end && cursorTo(end, context)),
    }),
  }),
});

function connectionType(node: NodeRef) {
  const edge = builder.objectRef<Edge<Row>>(`${node.name}Edge`).implement({
    description: `A ${node.name} and its place in a list.`,
    fields: (t) => ({
      cursor: t.string({
        nullable: false,
        description: 'Pass it as `after` to go on behind this record.',
        ...computed(cursorTo),
      }),
      node: t.field({
        type: node,
        description: 'The record; null where the service broke its own promise about it.',
        ...computed(({ row }) => row, { wrapsRecord: true }),
      }),
    }),
  });
  return builder.objectRef<List<Row>>(`${node.name}Connection`).implement({
    description: `A part of a list of ${node.name} records, read forward.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        nullable: false,
        description: 'The records, each with its cursor.',
        extensions: restMetadata({ wrapsRecord: true }),
        resolve: edgesOf,
      }),
      nodes: t.field({
        type: [node],
        nullable: { list: false, items: true },
        description: 'The records alone; null where the service broke its own promise about one.',
        extensions: restMetadata({ wrapsRecord: true }),
        resolve: rowsOf,
      }),
      pageInfo: t.field({
        type: PageInfo,
        nullable: false,
        description: 'Where this part begins and ends, and whether more follows.',
        ...computed((list) => ({ ...list, ...endsOf(list) })),
      }),
    }),
  });
}

function cursorTo(edge: Edge<Row>, { rest }: Context) {
  const position = positionOf(edge);
  if (position instanceof RestError) throw position;
  return cursorOf(position, rest.text);
}

function requestOf(resource: Resource, args: Arguments, maxFirst: number, fields: Fields): ListRequest {
  const first = typeof args.first === 'number' ? args.first : DEFAULT_FIRST;
  if (first < 1 || first > maxFirst) throw badInput(`\`first\` takes a number from 1 to ${maxFirst}.`);
  return {
    filters: filtersOf(resource, args, maxFirst),
    fields,
    first,
    ...(typeof args.after === 'string' && { after: decodeCursor(args.after) }),
  };
}

function filtersOf(resource: Resource, args: Arguments, maxValues: number): FilterValues {
  const administration =
    typeof args.administrationId === 'string' ? administrationId(args.administrationId) : undefined;
  const filters: Record<string, string | readonly string[]> = {};
  for (const argument of Object.keys(resource.filters)) {
    const value = argument === 'administrationId' ? administration : args[argument];
    if (typeof value === 'string') filters[argument] = value;
    if (!Array.isArray(value)) continue;
    if (value.length > maxValues) throw badInput(`\`${argument}\` takes at most ${maxValues} values.`);
    filters[argument] = textsOf(value);
  }
  if (!Array.isArray(filters.ids)) return filters;
  return { ...filters, ids: internalIds(filters.ids, resource.type, 'ids', administration) };
}

/** Memoized: the estimate, the execution and all aliases that use the same variable share one array. */
const textsOf = weakMemoize((values: readonly unknown[]) => values.map(String));

/** One call per page, or per part of a filter list that is too long for one URL. */
function listCost(resource: Resource, args: Arguments, scope: Scope): Estimate {
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
    if (name === 'first' || name === 'after' || value === null) continue;
    if (Array.isArray(value) && value.length > scope.maxFirst) return { reads: [], items: 0 };
    filters[name] = value;
  }
  // Measured as they are sent: a global id is several times as long as the id that it contains.
  if (Array.isArray(filters.ids)) filters.ids = internalIdsOrTexts(filters.ids);
  const { lists, values, otherLength } = measureFilters(filters);
  const id = args.after ? undefined : onlyId(resource, filters);
  if (id !== undefined) {
    const lookup = { type: resource.type, filter: BY_ID.filter, keys: [id] };
    const estimate = lookupCost(lookup, scope, administration);
    return { ...estimate, values, scope: { ...estimate.scope, rows } };
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
  const position = typeof args.after === 'string' ? positionIn(args.after) : undefined;
  const cursors = cursorRoom(Array.isArray(filters.ids) ? { ids: filters.ids } : {}, position?.cursor);
  const room = roomForValues(otherLength, cursors);
  const parts = Math.max(...lists.map((list) => countParts(list, room)), 1);
  // Behind a cursor of a list that fitted into one URL with fewer fields, each page of ids is read first.
  const idPages = parts > 1 && position?.part === null ? pages : 0;
  const times = administration === undefined ? Math.min(scope.records, scope.administrations) : 1;
  return {
    reads: [{ name, calls: times * (pages + parts - 1 + idPages) }],
    values,
    scope: { origin: name, rows, administration, administrations: times },
  };
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
