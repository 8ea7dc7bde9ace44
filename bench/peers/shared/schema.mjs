// @ts-check

/** The part of the gateway's schema that the workloads use, in the same shape and under the same names. */
export const typeDefs = /* GraphQL */ `
  scalar Amount
  scalar DateTime

  type Query {
    debtor(administrationId: ID!, by: DebtorBy!): Debtor
    debtors(administrationId: ID!, first: Int = 100): DebtorConnection
    deletedCreditCases(administrationId: ID!, first: Int = 100): DeletedCreditCaseConnection
  }

  input DebtorBy {
    id: ID
  }

  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }

  type DebtorConnection {
    edges: [DebtorEdge!]!
    nodes: [Debtor]!
    pageInfo: PageInfo!
  }

  type DebtorEdge {
    cursor: String!
    node: Debtor
  }

  type DeletedCreditCaseConnection {
    edges: [DeletedCreditCaseEdge!]!
    nodes: [DeletedCreditCase]!
    pageInfo: PageInfo!
  }

  type DeletedCreditCaseEdge {
    cursor: String!
    node: DeletedCreditCase
  }

  type DeletedCreditCase {
    id: ID!
    internalId: ID!
    administrationId: ID
    debtorId: ID
    debtor: Debtor
    deletedAt: DateTime
  }

  type Debtor {
    id: ID!
    internalId: ID!
    administrationId: ID!
    debtorNumber: String!
    debtorIdentifier: String!
    name: String!
    postalAddress: Address!
    bankAccountNumber: String
    bookOpenAmount: Amount
    callPhoneNumber: String
    smsPhoneNumber: String
    cocNumber: String
    vatNumber: String
    creditLimitAmount: Amount
    primaryEmailAddress: String
    invoiceEmailAddress: String
    reminderEmailAddress: String
    publicUrl: String
    labels: [Label!]
    languageCode: String
    paymentBehaviour: Int
    peppolIdentifier: String
    peppolEnabled: Boolean
    relationManager: String
    remark: String
    pausedAt: DateTime
    updatedAt: DateTime!
  }

  type Address {
    city: String!
    countryCode: String!
    postalCode: String
    street1: String
  }

  type Label {
    name: String!
  }
`;
