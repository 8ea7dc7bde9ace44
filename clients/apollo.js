// Generated from the gateway's schema. Download it again after each update: GET /schema/apollo.js
import { relayStylePagination } from '@apollo/client/utilities';

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

/** Embeds a type without an `id` in its parent, and merges the fields that several queries select. */
const embedded = { keyFields: false, merge: true };

/** Keeps a value that only some queries can read: for others it is null. */
const known = { merge: (existing, incoming) => incoming ?? existing ?? null };

/** Merges the pages of a list: `edges` by `relayStylePagination`, and `nodes` in the same way. */
function list(names) {
  // Lists with pages of other lengths would continue after each other's cursors.
  const keyArgs = [...names, 'first'];
  const edges = relayStylePagination(keyArgs);
  return {
    keyArgs,
    read(existing, options) {
      if (!existing) return undefined;
      const { hasEdges, starts: _starts, ...list } = edges.read(existing, options);
      // `relayStylePagination` returns an empty list of edges if only `nodes` were selected.
      if (!hasEdges) delete list.edges;
      return list;
    },
    merge(existing, incoming, options) {
      const merged = edges.merge(existing, incoming, options);
      if (!incoming) return merged;
      const { args } = options;
      const hasEdges = existing?.hasEdges === true || incoming.edges !== undefined;
      if (!incoming.nodes) return { ...merged, hasEdges };
      // Maps each cursor to the number of nodes up to it.
      const starts = args?.after ? { ...existing?.starts } : {};
      // Like `relayStylePagination`, append a page whose cursor is unknown.
      const before = args?.after ? (existing?.nodes?.slice(0, starts[args.after]) ?? []) : [];
      const nodes = [...before, ...incoming.nodes];
      if (incoming.pageInfo?.endCursor) starts[incoming.pageInfo.endCursor] = nodes.length;
      return { ...merged, hasEdges, nodes, starts };
    },
  };
}

/** @type {import('@apollo/client').TypePolicies} */
export const typePolicies = {
  ...Object.fromEntries(SCHEMA.embedded.map((type) => [type, embedded])),
  ...mapped(SCHEMA.lists, (lists) => ({ fields: mapped(lists, list) })),
};
typePolicies.Administration.fields.name = known;

/** Lists the types of each interface, for fragments on it. */
export const possibleTypes = SCHEMA.possibleTypes;

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
