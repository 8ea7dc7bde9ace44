// @ts-check
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLScalarType } from 'graphql';
import { ADDRESS, DEBTOR_TEXTS, Debtor, DeletedCreditCase } from './rows.mjs';
import { fieldsOf } from './selection.mjs';

/** @typedef {{ administrationId: string, first: number, updatedAfter?: string, deletedAfter?: string, by: { id: string } }} Arguments */
/** @typedef {(row: any, args: Arguments, context: import('./context.mjs').Context, info: import('graphql').GraphQLResolveInfo) => unknown} Resolver */

/** The part of the gateway's schema that the workloads use. */
const typeDefs = `
  scalar Amount
  scalar DateTime
  type Query {
    debtors(administrationId: ID!, first: Int!, updatedAfter: DateTime): DebtorConnection
    deletedCreditCases(administrationId: ID!, first: Int!, deletedAfter: DateTime): DeletedCreditCaseConnection
    debtor(administrationId: ID!, by: DebtorBy!): Debtor
  }
  input DebtorBy { id: ID }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  ${['Debtor', 'DeletedCreditCase']
    .map(
      (type) => `
  type ${type}Connection { edges: [${type}Edge]! pageInfo: PageInfo! }
  type ${type}Edge { cursor: String! node: ${type} }`,
    )
    .join('')}
  type Debtor {
    id: ID! internalId: ID! administrationId: ID! postalAddress: Address! labels: [Label!]
    bookOpenAmount: Amount creditLimitAmount: Amount pausedAt: DateTime updatedAt: DateTime
    paymentBehaviour: Int peppolEnabled: Boolean
    ${texts(DEBTOR_TEXTS)}
  }
  type Address { ${texts(ADDRESS)} }
  type Label { name: String! }
  type DeletedCreditCase { id: ID! internalId: ID! deletedAt: DateTime debtor: Debtor }
`;

/** A carefully written schema: `fields` follows from the selection, and lookups of one tick are one call. */
/** @type {Record<string, Record<string, Resolver> | GraphQLScalarType>} */
const resolvers = {
  Query: {
    debtors(_root, { administrationId, updatedAfter = '', first }, context, info) {
      const { parameter, hasCursors } = fieldsOf(info);
      const path = `/v1/debtors?administration_id=${encodeURIComponent(administrationId)}`;
      const filter = `&updated_after=${encodeURIComponent(updatedAfter)}${parameter}`;
      return context.list(path + filter, first, Debtor, hasCursors);
    },
    deletedCreditCases(_root, { administrationId, deletedAfter = '', first }, context, info) {
      const path = `/v1/credit_cases/deleted?administration_id=${encodeURIComponent(administrationId)}`;
      const filter = `&deleted_after=${encodeURIComponent(deletedAfter)}`;
      return context.list(path + filter, first, DeletedCreditCase, fieldsOf(info).hasCursors);
    },
    debtor: (_root, { administrationId, by }, context, info) =>
      context.loadDebtor({ administrationId, id: internalId(by.id), fields: fieldsOf(info) }),
  },
  DeletedCreditCase: {
    debtor: ({ row }, _args, context, info) =>
      context.loadDebtor({
        administrationId: row.administration_id,
        id: row.debtor_id,
        fields: fieldsOf(info),
      }),
  },
  Amount: checkedText('Amount'),
  DateTime: checkedText('DateTime'),
};

export const schema = makeExecutableSchema({ typeDefs, resolvers });

/** @param {string} names */
function texts(names) {
  return names.replace(/\S+/g, '$&: String');
}

/** The values of the other scalars are checked by graphql-js. @param {string} name */
function checkedText(name) {
  return new GraphQLScalarType({
    name,
    serialize(value) {
      if (typeof value === 'string') return value;
      throw new TypeError(`not a ${name}`);
    },
  });
}

/** @type {(id: string) => string} */
function internalId(id) {
  return id.startsWith('W') ? JSON.parse(Buffer.from(id, 'base64url').toString())[2] : id;
}
