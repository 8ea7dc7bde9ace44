// From the schema of this gateway. After an update, download it again: GET /schema/graphcache.js
import { relayPagination } from '@urql/exchange-graphcache/extras';

/** A type without an `id` is part of the object around it. */
const embedded = () => null;

/** @type {import('@urql/exchange-graphcache').KeyingConfig} */
export const keys = {
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
};

/**
 * The pages of a list become one list.
 *
 * @type {import('@urql/exchange-graphcache').ResolverConfig}
 */
export const resolvers = {
  Administration: {
    debtors: relayPagination(),
    declarationLines: relayPagination(),
    deletedCreditCases: relayPagination(),
    deletedPayments: relayPagination(),
  },
  Query: {
    debtors: relayPagination(),
    declarationLines: relayPagination(),
    deletedCreditCases: relayPagination(),
    deletedPayments: relayPagination(),
    companies: relayPagination(),
  },
};
