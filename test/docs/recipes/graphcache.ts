import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';

/** Part of the object around it. */
const embedded = () => null;

const lists = {
  debtors: relayPagination(),
  declarationLines: relayPagination(),
  deletedCreditCases: relayPagination(),
  deletedPayments: relayPagination(),
};

export const cache = cacheExchange({
  keys: {
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
  },
  resolvers: { Query: { ...lists, companies: relayPagination() }, Administration: lists },
});
