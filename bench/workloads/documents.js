// @ts-check

/** What Relay's compiler looks for; Apollo Client parses the text itself. */
const graphql = String.raw;

/** The questions of the bench, as a team with a GraphQL client writes them. */
export const documents = {
  W1: graphql`
    query documentsW1Query($adm: ID!, $first: Int!, $updatedAfter: DateTime) {
      debtors(administrationId: $adm, first: $first, updatedAfter: $updatedAfter)
        @connection(key: "documents_debtors") {
        edges {
          node { internalId name debtorNumber updatedAt bookOpenAmount postalAddress { city } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  `,
  W2: graphql`
    query documentsW2Query($adm: ID!, $first: Int!, $updatedAfter: DateTime) {
      debtors(administrationId: $adm, first: $first, updatedAfter: $updatedAfter)
        @connection(key: "documents_debtors") {
        edges {
          node {
            internalId administrationId debtorNumber debtorIdentifier name
            postalAddress { city countryCode postalCode street1 }
            bankAccountNumber bookOpenAmount callPhoneNumber smsPhoneNumber cocNumber vatNumber
            creditLimitAmount primaryEmailAddress invoiceEmailAddress reminderEmailAddress publicUrl
            labels { name }
            languageCode paymentBehaviour peppolIdentifier peppolEnabled relationManager remark pausedAt updatedAt
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  `,
  W3: graphql`
    query documentsW3Query($adm: ID!, $first: Int!, $deletedAfter: DateTime) {
      deletedCreditCases(administrationId: $adm, first: $first, deletedAfter: $deletedAfter)
        @connection(key: "documents_deletedCreditCases") {
        edges {
          node { internalId deletedAt debtor { internalId name debtorNumber } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  `,
  W4: graphql`
    query documentsW4Query($adm: ID!, $id: ID!) {
      debtor(administrationId: $adm, by: { id: $id }) {
        internalId name debtorNumber updatedAt bookOpenAmount postalAddress { city }
      }
    }
  `,
  W5: graphql`
    query documentsW5Query(
      $adm: ID!, $id0: ID!, $id1: ID!, $id2: ID!, $id3: ID!, $id4: ID!
      $id5: ID!, $id6: ID!, $id7: ID!, $id8: ID!, $id9: ID!
    ) {
      a: debtor(administrationId: $adm, by: { id: $id0 }) { internalId name debtorNumber }
      b: debtor(administrationId: $adm, by: { id: $id1 }) { internalId name postalAddress { city countryCode } }
      c: debtor(administrationId: $adm, by: { id: $id2 }) { internalId bookOpenAmount creditLimitAmount }
      d: debtor(administrationId: $adm, by: { id: $id3 }) { internalId callPhoneNumber smsPhoneNumber }
      e: debtor(administrationId: $adm, by: { id: $id4 }) { internalId primaryEmailAddress invoiceEmailAddress }
      f: debtor(administrationId: $adm, by: { id: $id5 }) { internalId labels { name } languageCode remark }
      g: debtor(administrationId: $adm, by: { id: $id6 }) { internalId cocNumber vatNumber bankAccountNumber }
      h: debtor(administrationId: $adm, by: { id: $id7 }) { internalId peppolIdentifier peppolEnabled }
      i: debtor(administrationId: $adm, by: { id: $id8 }) { internalId paymentBehaviour relationManager }
      j: debtor(administrationId: $adm, by: { id: $id9 }) { internalId publicUrl pausedAt updatedAt }
    }
  `,
};
