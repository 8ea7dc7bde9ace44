// From the schema of this gateway. After an update, download it again: GET /schema/graphcache.js
import { relayPagination } from '@urql/exchange-graphcache/extras';

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
    Administration: ['debtors', 'declarationLines', 'deletedCreditCases', 'deletedPayments'],
    Query: ['debtors', 'declarationLines', 'deletedCreditCases', 'deletedPayments', 'companies'],
  },
};

/**
 * A type without an `id` is part of the object around it.
 *
 * @type {import('@urql/exchange-graphcache').KeyingConfig}
 */
export const keys = Object.fromEntries(SCHEMA.embedded.map((type) => [type, () => null]));

/**
 * The pages of a list become one list.
 *
 * @type {import('@urql/exchange-graphcache').ResolverConfig}
 */
export const resolvers = Object.fromEntries(
  Object.entries(SCHEMA.lists).map(([type, lists]) => [
    type,
    Object.fromEntries(lists.map((list) => [list, relayPagination()])),
  ]),
);
