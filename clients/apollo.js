// From the schema of this gateway. After an update, download it again: GET /schema/apollo.js
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

/** A type without an `id` is part of the object around it, and what several queries select of it goes together. */
const embedded = { keyFields: false, merge: true };

/** Only some queries know it, and elsewhere it is null: what is known stays. */
const known = { merge: (existing, incoming) => incoming ?? existing ?? null };

/** The pages of a list become one list: `relayStylePagination` for `edges`, and the same for `nodes`. */
function list(keyArgs) {
  const edges = relayStylePagination(keyArgs);
  return {
    keyArgs,
    read(existing, options) {
      if (!existing) return undefined;
      const { hasEdges, starts: _starts, ...list } = edges.read(existing, options);
      // Without edges they would be taken for an empty list, where only `nodes` were asked for.
      if (!hasEdges) delete list.edges;
      return list;
    },
    merge(existing, incoming, options) {
      const merged = edges.merge(existing, incoming, options);
      if (!incoming) return merged;
      const { args } = options;
      const hasEdges = existing?.hasEdges === true || incoming.edges !== undefined;
      if (!incoming.nodes) return { ...merged, hasEdges };
      // How many nodes stand before the page behind a cursor.
      const starts = args?.after ? { ...existing?.starts } : {};
      // As `relayStylePagination` does, a page behind a cursor that is not known goes to the end.
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

/** The types of each interface, for fragments on it. */
export const possibleTypes = SCHEMA.possibleTypes;

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
