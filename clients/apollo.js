// From the schema of this gateway. After an update, download it again: GET /schema/apollo.js
import { relayStylePagination } from '@apollo/client/utilities';

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
  AccessToken: embedded,
  Address: embedded,
  AmountTotals: embedded,
  CompanyGroup: embedded,
  CompanyTotals: embedded,
  CreateClientCredentialsTokenPayload: embedded,
  CreditCaseDeleted: embedded,
  DebtorChanged: embedded,
  DebtorGroup: embedded,
  DebtorTotals: embedded,
  DeclarationLineChanged: embedded,
  DeclarationLineCustomer: embedded,
  DeclarationLineGroup: embedded,
  DeclarationLineTotals: embedded,
  DeletedCreditCaseGroup: embedded,
  DeletedCreditCaseTotals: embedded,
  DeletedPaymentGroup: embedded,
  DeletedPaymentTotals: embedded,
  IntTotals: embedded,
  Label: embedded,
  PaymentDeleted: embedded,
  RecordMessages: embedded,
  RefreshAccessTokenPayload: embedded,
  TokenIntrospection: embedded,
  UnmarkTaskCompletedPayload: embedded,
  UpdateMessagesPayload: embedded,
  Viewer: embedded,
  Administration: {
    fields: {
      name: known,
      debtors: list([
        'ids',
        'debtorNumbers',
        'debtorIdentifiers',
        'updatedAfter',
        'where',
        'orderBy',
        'among',
      ]),
      declarationLines: list([
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
      ]),
      deletedCreditCases: list(['deletedAfter', 'deletedBefore', 'where', 'orderBy', 'among']),
      deletedPayments: list(['deletedAfter', 'deletedBefore', 'where', 'orderBy', 'among']),
    },
  },
  Query: {
    fields: {
      debtors: list([
        'administrationId',
        'ids',
        'debtorNumbers',
        'debtorIdentifiers',
        'updatedAfter',
        'where',
        'orderBy',
        'among',
      ]),
      declarationLines: list([
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
      ]),
      deletedCreditCases: list([
        'administrationId',
        'deletedAfter',
        'deletedBefore',
        'where',
        'orderBy',
        'among',
      ]),
      deletedPayments: list([
        'administrationId',
        'deletedAfter',
        'deletedBefore',
        'where',
        'orderBy',
        'among',
      ]),
      companies: list(['where', 'orderBy', 'among']),
    },
  },
};

/** The types of each interface, for fragments on it. */
export const possibleTypes = {
  Node: ['Administration', 'Debtor', 'DeclarationLine'],
  Change: ['DebtorChanged', 'DeclarationLineChanged', 'CreditCaseDeleted', 'PaymentDeleted'],
};
