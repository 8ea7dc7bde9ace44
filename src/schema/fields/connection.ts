import { markDerived } from '../../execution/plan.ts';
import { DEFAULT_FIRST } from '../../rest/query.ts';
import type { Resource } from '../../rest/resource.ts';
import { boolean, enumOf, object } from '../../rest/values.ts';
import { addField } from './administration.ts';
import { builder } from './builder.ts';
import { cursorAt, edgeCursor, type ListConnection, type ListEdge } from './cursor.ts';
import { DEFAULT_AMONG, groupsCost, listCost } from './list-arguments.ts';
import { type GroupsArguments, resolveGroups, resolveTotals } from './list-totals.ts';
import { defineListTypes, type ListTypes } from './list-types.ts';
import { restMetadata } from './metadata.ts';
import { readConnection } from './read-connection.ts';
import { buildInputFields, objectType, type RecordRef } from './record-type.ts';
import { objectWhere } from './where-types.ts';

/** Adds a resource as a connection to `Query`, and to `Administration` if its records belong to one. */
export function exposeList(resource: Resource, node: RecordRef, description: string): void {
  const types = defineListTypes(resource, node);
  const { type: name, filters, members } = resource;
  const taken = Object.entries(filters).flatMap(([argument, { takes }]) =>
    takes ? [[argument, takes]] : [],
  );
  const args = builder.args((t) => ({
    ...buildInputFields(t, {
      ...Object.fromEntries(taken),
      where: objectWhere(name, members).optional('Only records that meet these conditions.'),
      orderBy: object(`${name}Order`, {}).list(
        'The order of the records. By default, it is that of the service.',
      ),
    }),
    among: t.int({
      defaultValue: DEFAULT_AMONG,
      description:
        'The most records to read for `where`, `orderBy`, `totals` and `groups`, which need the whole list. Each 500 ' +
        'records take a REST call.',
    }),
    first: t.int({
      defaultValue: DEFAULT_FIRST,
      description: 'How many records to return: 1 to 10,000, unless the gateway has another MAX_FIRST.',
    }),
    after: t.string({ description: 'Start after the record with this cursor.' }),
  }));
  const extensions = restMetadata({
    listedResource: resource,
    cost: (args, scope, plan) => listCost(resource, args, scope, plan),
  });
  const type = connectionType(node, types);
  addField(resource.name, resource, { type, description, extensions, args }, (args, context, info) => {
    const list = readConnection(types, args, context, info);
    context.dataSource.onList?.(list);
    return list;
  });
}

const PageInfo = objectType<ListConnection>('PageInfo', 'Where a page of a list begins and ends.', {
  hasNextPage: boolean.required('Whether more records follow. Read them with `after: endCursor`.'),
  hasPreviousPage: boolean.required(
    'Whether this page starts after a cursor. Lists can only be read forward.',
  ),
  startCursor: {
    type: 'String',
    description: 'The cursor of the first record, or null if there is none.',
    resolve: markDerived((list: ListConnection) => cursorAt(list, 0)),
  },
  endCursor: {
    type: 'String',
    description: 'The cursor of the last record, or null if there is none.',
    resolve: markDerived((list: ListConnection) => cursorAt(list, list.rows.length - 1)),
  },
});

function connectionType(node: RecordRef, types: ListTypes) {
  const edge = objectType<ListEdge>(`${node.name}Edge`, `A ${node.name} and its place in a list.`, {
    cursor: {
      type: 'String',
      nullable: false,
      description: 'Pass it as `after` to continue after this record.',
      resolve: markDerived(edgeCursor),
    },
    node: {
      type: node,
      description: 'The record. Null if the service sent an invalid one.',
      resolve: markDerived(({ row }: ListEdge) => row),
    },
  });
  const { totals, group } = types;
  const groupField = enumOf(`${node.name}GroupField`, []);
  return objectType<ListConnection>(`${node.name}Connection`, `A page of a list of ${node.name} records.`, {
    edges: {
      type: [edge],
      nullable: false,
      description: 'The records, each with its cursor.',
      resolve: markDerived((list: ListConnection) => list.rows.map((row, index) => ({ list, row, index }))),
    },
    nodes: {
      type: [node],
      nullable: { list: false, items: true },
      description:
        'The records without their cursors. An item is null if the service sent an invalid record.',
      resolve: markDerived(({ rows }: ListConnection) => rows),
    },
    pageInfo: {
      type: PageInfo,
      nullable: false,
      description: 'Where this page begins and ends, and whether more records follow.',
      resolve: markDerived((list: ListConnection) => list),
    },
    totals: {
      type: totals,
      description: 'Totals of all records of the filtered list, whatever `first` and `after` are.',
      resolve: ({ fullList }, _args, _context, info) =>
        fullList ? resolveTotals(fullList, types, info) : null,
    },
    groups: {
      type: [group],
      description:
        'All records of the filtered list, grouped by a value that they have in common. Without `orderBy`, days, ' +
        'months and years come in order of time, other groups by size, the largest first.',
      args: builder.args((t) => ({
        ...buildInputFields(t, {
          by: groupField.required('What to group them by.'),
          thenBy: groupField.optional(
            'What to group the records of each group by: there is a group for each pair of values.',
          ),
          orderBy: object(`${node.name}GroupOrder`, {}).list(
            'The order of the groups. Those that are equal in it are ordered as without it.',
          ),
        }),
        first: t.int({
          defaultValue: 100,
          description: 'How many groups to return: 1 to 10,000, unless the gateway has another MAX_FIRST.',
        }),
        timeZone: t.string({
          defaultValue: 'UTC',
          description:
            'Where days, months and years begin: the name of a time zone, such as `Europe/Amsterdam`.',
        }),
      })),
      // The rows of groups are not those of the page.
      extensions: restMetadata({ needs: [], cost: groupsCost }),
      resolve: ({ fullList }, args: GroupsArguments, context, info) =>
        fullList ? resolveGroups(fullList, args, types, context, info) : null,
    },
  });
}
