// @ts-check

/** The questions of the bench, as a script asks them. */
export const documents = {
  W1: `
    query W1($adm: ID!, $first: Int!, $updatedAfter: DateTime) {
      debtors(administrationId: $adm, first: $first, updatedAfter: $updatedAfter) {
        edges { node { internalId name debtorNumber updatedAt bookOpenAmount postalAddress { city } } }
        pageInfo { hasNextPage endCursor }
      }
    }
  `,
  W2: `
    query W2($adm: ID!, $first: Int!, $updatedAfter: DateTime) {
      debtors(administrationId: $adm, first: $first, updatedAfter: $updatedAfter) {
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
  W3: `
    query W3($adm: ID!, $first: Int!, $deletedAfter: DateTime) {
      deletedCreditCases(administrationId: $adm, first: $first, deletedAfter: $deletedAfter) {
        edges { node { internalId deletedAt debtor { internalId name debtorNumber } } }
        pageInfo { hasNextPage endCursor }
      }
    }
  `,
  W4: `
    query W4($adm: ID!, $id: ID!) {
      debtor(administrationId: $adm, by: { id: $id }) {
        internalId name debtorNumber updatedAt bookOpenAmount postalAddress { city }
      }
    }
  `,
  W5: `
    query W5(
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
