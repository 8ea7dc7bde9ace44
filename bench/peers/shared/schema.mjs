// @ts-check
import { readFileSync } from 'node:fs';
import { buildSchema, isObjectType } from 'graphql';
import { fieldsOf, restName } from './selection.mjs';

/** @typedef {{ administrationId: string, first: number, updatedAfter?: string, deletedAfter?: string, by: { id: string } }} Arguments */
/** @typedef {(row: any, args: Arguments, context: import('./context.mjs').Context, info: import('graphql').GraphQLResolveInfo) => unknown} Resolver */

/** The gateway's own, of which the workloads use a part. */
export const typeDefs = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
const types = buildSchema(typeDefs);

/** What a careful hand would write: `fields` follows from the selection, and lookups of one tick are one call. */
/** @type {Record<string, Record<string, Resolver>>} */
export const resolvers = {
  Query: {
    debtors(_root, { administrationId, updatedAfter = '', first }, context, info) {
      const path = `/v1/debtors?administration_id=${encodeURIComponent(administrationId)}`;
      const filter = `&updated_after=${encodeURIComponent(updatedAfter)}${fieldsOf(info).parameter}`;
      return context.list(path + filter, first);
    },
    deletedCreditCases(_root, { administrationId, deletedAfter = '', first }, context) {
      const path = `/v1/credit_cases/deleted?administration_id=${encodeURIComponent(administrationId)}`;
      return context.list(`${path}&deleted_after=${encodeURIComponent(deletedAfter)}`, first);
    },
    debtor: (_root, { administrationId, by }, context, info) =>
      context.loadDebtor({ administrationId, id: internalId(by.id), fields: fieldsOf(info) }),
  },
  ...connection('Debtor'),
  ...connection('DeletedCreditCase'),
  PageInfo: {
    hasNextPage: ({ cursor }) => cursor !== undefined,
    endCursor: ({ rows, cursor }) => (rows.length > 0 ? base64url(`:${cursor ?? rows.at(-1).id}`) : null),
  },
  Debtor: { ...membersOf('Debtor'), id: globalId('Debtor') },
  DeletedCreditCase: {
    ...membersOf('DeletedCreditCase'),
    id: globalId('DeletedCreditCase'),
    debtor: (row, _args, context, info) =>
      context.loadDebtor({
        administrationId: row.administration_id,
        id: row.debtor_id,
        fields: fieldsOf(info),
      }),
  },
  Address: membersOf('Address'),
};

/** A row is its own edge, so that no object is made for it. @type {(type: string) => typeof resolvers} */
function connection(type) {
  return {
    [`${type}Connection`]: { edges: ({ rows }) => rows, pageInfo: (list) => list },
    [`${type}Edge`]: { cursor: ({ id }) => base64url(`:${id}`), node: (row) => row },
  };
}

/**
 * A function for each field whose REST name differs: a literal access, which the engines run fastest.
 * @type {(type: string) => Record<string, Resolver>}
 */
function membersOf(typeName) {
  const type = types.getType(typeName);
  const names = isObjectType(type) ? Object.keys(type.getFields()) : [];
  const differing = names.filter((name) => restName(name) !== name);
  return Object.fromEntries(
    differing.map((name) => [
      name,
      /** @type {Resolver} */ (new Function('row', `return row.${restName(name)}`)),
    ]),
  );
}

/** Ids as the gateway makes them, so that the answers can be compared. @type {(type: string) => Resolver} */
function globalId(type) {
  return (row) => base64url(`["${type}","${row.administration_id}","${row.id}"]`);
}

/** @type {(id: string) => string} */
function internalId(id) {
  return id.startsWith('W') ? JSON.parse(Buffer.from(id, 'base64url').toString())[2] : id;
}

/** @type {(text: string) => string} */
function base64url(text) {
  return Buffer.from(text).toString('base64url');
}
