// Generated from the gateway's schema. Download it again after each update: GET /schema/graphcache.js
import { stringifyVariables } from '@urql/core';

/** Written by `npm run codegen`. */
const SCHEMA = {
  embedded: [
    'AccessToken',
    'Address',
    'AmountTotals',
    'CompanyGroup',
    'CompanyTotals',
    'CreateClientCredentialsTokenPayload',
    'CreditCaseDeleted',
    'DebtorChanged',
    'DebtorGroup',
    'DebtorTotals',
    'DeclarationLineChanged',
    'DeclarationLineCustomer',
    'DeclarationLineGroup',
    'DeclarationLineTotals',
    'DeletedCreditCaseGroup',
    'DeletedCreditCaseTotals',
    'DeletedPaymentGroup',
    'DeletedPaymentTotals',
    'IntTotals',
    'Label',
    'PaymentDeleted',
    'RecordMessages',
    'RefreshAccessTokenPayload',
    'TokenIntrospection',
    'UnmarkTaskCompletedPayload',
    'UpdateMessagesPayload',
    'Viewer',
  ],
  lists: {
    Administration: {
      debtors: ['ids', 'debtorNumbers', 'debtorIdentifiers', 'updatedAfter', 'where', 'orderBy', 'among'],
      declarationLines: [
        'ids',
        'orderLineIdentifiers',
        'invoiceIdentifiers',
        'claimStatus',
        'createdAfter',
        'createdBefore',
        'updatedAfter',
        'where',
        'orderBy',
        'among',
      ],
      deletedCreditCases: ['deletedAfter', 'deletedBefore', 'where', 'orderBy', 'among'],
      deletedPayments: ['deletedAfter', 'deletedBefore', 'where', 'orderBy', 'among'],
    },
    Query: {
      debtors: [
        'administrationId',
        'ids',
        'debtorNumbers',
        'debtorIdentifiers',
        'updatedAfter',
        'where',
        'orderBy',
        'among',
      ],
      declarationLines: [
        'administrationId',
        'ids',
        'orderLineIdentifiers',
        'invoiceIdentifiers',
        'claimStatus',
        'createdAfter',
        'createdBefore',
        'updatedAfter',
        'where',
        'orderBy',
        'among',
      ],
      deletedCreditCases: ['administrationId', 'deletedAfter', 'deletedBefore', 'where', 'orderBy', 'among'],
      deletedPayments: ['administrationId', 'deletedAfter', 'deletedBefore', 'where', 'orderBy', 'among'],
      companies: ['where', 'orderBy', 'among'],
    },
  },
  possibleTypes: {
    Node: ['Administration', 'Debtor', 'DeclarationLine'],
    Change: ['DebtorChanged', 'DeclarationLineChanged', 'CreditCaseDeleted', 'PaymentDeleted'],
  },
};

/**
 * Embeds types without an `id` in their parent.
 *
 * @type {import('@urql/exchange-graphcache').KeyingConfig}
 */
export const keys = Object.fromEntries(SCHEMA.embedded.map((type) => [type, () => null]));

/** @param {object | null} args */
const listOf = (args) => stringifyVariables({ ...args, after: undefined });

/**
 * Returns the cursor of the last row: from its edge if the page has no `pageInfo`.
 *
 * @param {import('@urql/exchange-graphcache').Cache} cache
 * @param {string} page
 */
function endOf(cache, page) {
  const [pageInfo, edges] = [cache.resolve(page, 'pageInfo'), cache.resolve(page, 'edges')];
  const end = typeof pageInfo === 'string' && cache.resolve(pageInfo, 'endCursor');
  const last = Array.isArray(edges) && edges.at(-1);
  return end || (typeof last === 'string' && cache.resolve(last, 'cursor'));
}

/**
 * Returns a page with the cached pages before it. `relayPagination` would merge the pages of all queries, and return
 * nothing if some select other fields.
 *
 * @type {import('@urql/exchange-graphcache').Resolver}
 */
function withPagesBefore(_parent, args, cache, { parentKey, fieldName }) {
  const asked = cache.resolve(parentKey, fieldName, args);
  if (!args.after || typeof asked !== 'string') return asked;
  const fields = cache
    .inspectFields(parentKey)
    .filter((field) => field.fieldName === fieldName && listOf(field.arguments) === listOf(args));
  /** Maps the cursor of a page's last row to the page and the cursor that precedes it. */
  const byEnd = new Map();
  for (const { fieldKey, arguments: fieldArgs } of fields) {
    const page = cache.resolve(parentKey, fieldKey);
    if (typeof page === 'string') byEnd.set(endOf(cache, page), { page, after: fieldArgs?.after });
  }
  const pages = [asked];
  for (let one = byEnd.get(args.after); one && !pages.includes(one.page); one = byEnd.get(one.after))
    pages.unshift(one.page);
  const joined = (/** @type {string} */ rows) => {
    const parts = pages.map((page) => cache.resolve(page, rows));
    return parts.every(Array.isArray) ? { [rows]: parts.flat() } : {};
  };
  return {
    __typename: cache.resolve(asked, '__typename'),
    ...joined('nodes'),
    ...joined('edges'),
  };
}

/**
 * Merges the pages of a list.
 *
 * @type {import('@urql/exchange-graphcache').ResolverConfig}
 */
export const resolvers = Object.fromEntries(
  Object.entries(SCHEMA.lists).map(([type, lists]) => [
    type,
    Object.fromEntries(Object.keys(lists).map((list) => [list, withPagesBefore])),
  ]),
);
