// @ts-check

/** What Relay's compiler looks for; Apollo Client parses the text itself. */
const graphql = String.raw;

/** The questions of the bench, as a team with a GraphQL client writes them. */
export const documents = {
  W1: graphql`
    query documentsW1Query($administrationId: ID!, $first: Int!) {
      debtors(administrationId: $administrationId, first: $first) @connection(key: "documents_debtors") {
        edges {
          node {
            internalId
            debtorNumber
            name
            bookOpenAmount
            paymentBehaviour
            updatedAt
          }
        }
      }
    }
  `,
  W2: graphql`
    query documentsW2Query($administrationId: ID!, $first: Int!) {
      debtors(administrationId: $administrationId, first: $first) @connection(key: "documents_debtors") {
        edges {
          node {
            internalId
            administrationId
            debtorNumber
            debtorIdentifier
            name
            postalAddress {
              city
              countryCode
              postalCode
              street1
            }
            bankAccountNumber
            bookOpenAmount
            callPhoneNumber
            smsPhoneNumber
            cocNumber
            vatNumber
            creditLimitAmount
            primaryEmailAddress
            invoiceEmailAddress
            reminderEmailAddress
            publicUrl
            labels {
              name
            }
            languageCode
            paymentBehaviour
            peppolIdentifier
            peppolEnabled
            relationManager
            remark
            pausedAt
            updatedAt
          }
        }
      }
    }
  `,
  W3: graphql`
    query documentsW3Query($administrationId: ID!, $first: Int!) {
      deletedCreditCases(administrationId: $administrationId, first: $first)
        @connection(key: "documents_deletedCreditCases") {
        edges {
          node {
            internalId
            deletedAt
            debtor {
              internalId
              name
              bookOpenAmount
            }
          }
        }
      }
    }
  `,
  W4: graphql`
    query documentsW4Query($administrationId: ID!, $id: ID!) {
      debtor(administrationId: $administrationId, by: { id: $id }) {
        internalId
        debtorNumber
        name
        bookOpenAmount
        paymentBehaviour
        updatedAt
      }
    }
  `,
  W5: graphql`
    query documentsW5Query(
      $administrationId: ID!
      $id0: ID!
      $id1: ID!
      $id2: ID!
      $id3: ID!
      $id4: ID!
      $id5: ID!
      $id6: ID!
      $id7: ID!
      $id8: ID!
      $id9: ID!
    ) {
      debtor0: debtor(administrationId: $administrationId, by: { id: $id0 }) {
        internalId
        administrationId
        debtorNumber
        debtorIdentifier
        name
        postalAddress {
          city
          countryCode
          postalCode
          street1
        }
      }
      debtor1: debtor(administrationId: $administrationId, by: { id: $id1 }) {
        administrationId
        debtorNumber
        debtorIdentifier
        name
        postalAddress {
          city
          countryCode
          postalCode
          street1
        }
        bankAccountNumber
      }
      debtor2: debtor(administrationId: $administrationId, by: { id: $id2 }) {
        debtorNumber
        debtorIdentifier
        name
        postalAddress {
          city
          countryCode
          postalCode
          street1
        }
        bankAccountNumber
        bookOpenAmount
      }
      debtor3: debtor(administrationId: $administrationId, by: { id: $id3 }) {
        debtorIdentifier
        name
        postalAddress {
          city
          countryCode
          postalCode
          street1
        }
        bankAccountNumber
        bookOpenAmount
        callPhoneNumber
      }
      debtor4: debtor(administrationId: $administrationId, by: { id: $id4 }) {
        name
        postalAddress {
          city
          countryCode
          postalCode
          street1
        }
        bankAccountNumber
        bookOpenAmount
        callPhoneNumber
        smsPhoneNumber
      }
      debtor5: debtor(administrationId: $administrationId, by: { id: $id5 }) {
        postalAddress {
          city
          countryCode
          postalCode
          street1
        }
        bankAccountNumber
        bookOpenAmount
        callPhoneNumber
        smsPhoneNumber
        cocNumber
      }
      debtor6: debtor(administrationId: $administrationId, by: { id: $id6 }) {
        bankAccountNumber
        bookOpenAmount
        callPhoneNumber
        smsPhoneNumber
        cocNumber
        vatNumber
      }
      debtor7: debtor(administrationId: $administrationId, by: { id: $id7 }) {
        bookOpenAmount
        callPhoneNumber
        smsPhoneNumber
        cocNumber
        vatNumber
        creditLimitAmount
      }
      debtor8: debtor(administrationId: $administrationId, by: { id: $id8 }) {
        callPhoneNumber
        smsPhoneNumber
        cocNumber
        vatNumber
        creditLimitAmount
        primaryEmailAddress
      }
      debtor9: debtor(administrationId: $administrationId, by: { id: $id9 }) {
        smsPhoneNumber
        cocNumber
        vatNumber
        creditLimitAmount
        primaryEmailAddress
        invoiceEmailAddress
      }
    }
  `,
};
