// @ts-check
import { readFileSync } from 'node:fs';
import { buildSchema, isObjectType } from 'graphql';
import { restName } from './names.mjs';
import { fieldsOf } from './selection.mjs';

/** @typedef {import('graphql').GraphQLResolveInfo} Info */
/** @typedef {import('./context.mjs').Context} Context */
/** @typedef {{ administrationId: string, first: number, updatedAfter?: string, deletedAfter?: string }} ListArguments */

/** The gateway's own, of which the workloads use a part. */
export const typeDefs = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');

/**
 * A function for each field whose REST name differs: a literal access, which the engines run fastest.
 * @param {string} typeName
 */
function membersOf(typeName) {
  const type = types.getType(typeName);
  const names = isObjectType(type) ? Object.keys(type.getFields()) : [];
  return Object.fromEntries(
    names
      .filter((name) => restName(name) !== name)
      .map((name) => [name, new Function('row', `return row.${restName(name)}`)]),
  );
}
const types = buildSchema(typeDefs);

/** @param {string} text */
function base64url(text) {
  return Buffer.from(text).toString('base64url');
}

/**
 * Ids as the gateway makes them, so that the answers can be compared.
 * @param {string} type
 */
function globalId(type) {
  return (/** @type {any} */ row) => base64url(`["${type}","${row.administration_id}","${row.id}"]`);
}

/** @param {string} id */
function internalId(id) {
  return id.startsWith('W') ? JSON.parse(Buffer.from(id, 'base64url').toString())[2] : id;
}

/** A row is its own edge, so that no object is made for it. */
const connection = {
  edges: (/** @type {any} */ { rows }) => rows,
  pageInfo: (/** @type {any} */ list) => list,
};
const edge = {
  cursor: (/** @type {any} */ row) => base64url(`:${row.id}`),
  node: (/** @type {any} */ row) => row,
};

/**
 * What a careful hand would write: `fields` follows from the selection, and lookups of one tick are one call.
 */
export const resolvers = {
  Query: {
    debtors(
      /** @type {unknown} */ _root,
      /** @type {ListArguments} */ args,
      /** @type {Context} */ context,
      /** @type {Info} */ info,
    ) {
      const path = `/v1/debtors?administration_id=${encodeURIComponent(args.administrationId)}`;
      const after = encodeURIComponent(args.updatedAfter ?? '');
      return context.list(`${path}&updated_after=${after}${fieldsOf(info).parameter}`, args.first);
    },
    deletedCreditCases(
      /** @type {unknown} */ _root,
      /** @type {ListArguments} */ args,
      /** @type {Context} */ context,
    ) {
      const path = `/v1/credit_cases/deleted?administration_id=${encodeURIComponent(args.administrationId)}`;
      return context.list(`${path}&deleted_after=${encodeURIComponent(args.deletedAfter ?? '')}`, args.first);
    },
    debtor(
      /** @type {unknown} */ _root,
      /** @type {{ administrationId: string, by: { id: string } }} */ { administrationId, by },
      /** @type {Context} */ context,
      /** @type {Info} */ info,
    ) {
      return context.loadDebtor({ administrationId, id: internalId(by.id), fields: fieldsOf(info) });
    },
  },
  DebtorConnection: connection,
  DebtorEdge: edge,
  DeletedCreditCaseConnection: connection,
  DeletedCreditCaseEdge: edge,
  PageInfo: {
    hasNextPage: (/** @type {any} */ { cursor }) => cursor !== undefined,
    endCursor: (/** @type {any} */ { rows, cursor }) =>
      rows.length > 0 ? base64url(`:${cursor ?? rows.at(-1).id}`) : null,
  },
  DeletedCreditCase: {
    ...membersOf('DeletedCreditCase'),
    id: globalId('DeletedCreditCase'),
    debtor: (
      /** @type {any} */ row,
      /** @type {unknown} */ _args,
      /** @type {Context} */ context,
      /** @type {Info} */ info,
    ) =>
      context.loadDebtor({
        administrationId: row.administration_id,
        id: row.debtor_id,
        fields: fieldsOf(info),
      }),
  },
  Debtor: { ...membersOf('Debtor'), id: globalId('Debtor') },
  Address: membersOf('Address'),
};
