/** Lines have at most 40 characters, which is what fits into the pane on a window of 1024 pixels. */

export const DEBTORS = /* GraphQL */ `# A page of debtors, with chosen fields
query Debtors(
  $administrationId: ID!
  $first: Int
  $after: String
) {
  debtors(
    administrationId: $administrationId
    first: $first
    after: $after
  ) {
    nodes {
      debtorNumber
      name
      bookOpenAmount
      labels {
        name
      }
      postalAddress {
        city
        countryCode
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`;

export const WHO_OWES_MOST = /* GraphQL */ `# The largest open amounts: the gateway
# reads the whole list for that
query WhoOwesMost(
  $administrationId: ID!
  $first: Int
) {
  debtors(
    administrationId: $administrationId
    where: {
      bookOpenAmount: { gt: "0" }
    }
    orderBy: [
      {
        field: BOOK_OPEN_AMOUNT
        direction: DESC
      }
    ]
    first: $first
  ) {
    nodes {
      debtorNumber
      name
      bookOpenAmount
    }
  }
}`;

export const TOTALS_BY_LABEL = /* GraphQL */ `# All debtors added up, and by label
query TotalsByLabel(
  $administrationId: ID!
) {
  debtors(
    administrationId: $administrationId
  ) {
    totals {
      count
      bookOpenAmount {
        sum
      }
    }
    groups(by: LABELS_NAME) {
      key
      totals {
        count
        bookOpenAmount {
          sum
        }
      }
    }
  }
}`;

export const OPEN_AMOUNT_BY_CITY = /* GraphQL */ `# The cities with most open amounts
query OpenAmountByCity(
  $administrationId: ID!
  $first: Int
) {
  debtors(
    administrationId: $administrationId
  ) {
    groups(
      by: POSTAL_ADDRESS_CITY
      orderBy: [
        { field: BOOK_OPEN_AMOUNT_SUM }
      ]
      first: $first
    ) {
      key
      totals {
        count
        bookOpenAmount {
          sum
        }
      }
    }
  }
}`;

export const LINES_BY_MONTH = /* GraphQL */ `# Declaration lines per month
query LinesByMonth(
  $administrationId: ID!
) {
  declarationLines(
    administrationId: $administrationId
  ) {
    groups(by: CREATED_AT_MONTH) {
      key
      totals {
        count
        amount {
          sum
        }
      }
    }
  }
}`;

export const DELETED_CREDIT_CASES = /* GraphQL */ `# Deleted credit cases, their debtors:
# two REST calls for a page
query DeletedCreditCases(
  $administrationId: ID!
  $first: Int
) {
  deletedCreditCases(
    administrationId: $administrationId
    first: $first
  ) {
    nodes {
      internalId
      deletedAt
      debtor {
        name
        primaryEmailAddress
      }
    }
  }
}`;

export const LIVE_CHANGES = /* GraphQL */ `# What changes from now on: each event
# takes the place of the one before
subscription LiveChanges(
  $administrationId: ID!
  $kinds: [ChangeKind!]
) {
  changes(
    administrationId: $administrationId
    kinds: $kinds
  ) {
    kind
    seenAt
    ... on DebtorChanged {
      debtor {
        debtorNumber
        name
        bookOpenAmount
      }
    }
    ... on DeclarationLineChanged {
      declarationLine {
        internalId
        claimStatus
        amount
      }
    }
    ... on CreditCaseDeleted {
      deletedCreditCase {
        internalId
        deletedAt
      }
    }
    ... on PaymentDeleted {
      deletedPayment {
        internalId
        deletedAt
      }
    }
  }
}`;

export const DECLARATION_LINES = /* GraphQL */ `# Declaration lines by claim status
query DeclarationLines(
  $administrationId: ID!
  $claimStatus: ClaimStatus
) {
  declarationLines(
    administrationId: $administrationId
    claimStatus: $claimStatus
    first: 20
  ) {
    nodes {
      internalId
      claimStatus
      claimResponseCodes
      amount
      rejectedAmount
      createdAt
    }
  }
}`;

export const DEBTOR_BY_NUMBER = /* GraphQL */ `# One debtor by its number
query DebtorByNumber(
  $administrationId: ID!
  $debtorNumber: String!
) {
  debtor(
    administrationId: $administrationId
    by: { debtorNumber: $debtorNumber }
  ) {
    id
    name
    bookOpenAmount
    creditLimitAmount
    paymentBehaviour
    updatedAt
  }
}`;

export const COMPANIES = /* GraphQL */ `# Companies of the application: takes
# its client id and secret
query Companies {
  companies {
    nodes {
      internalId
      name
      status
      trial
      trialEndsOn
    }
  }
}`;

export const UNMARK_TASK = /* GraphQL */ `# Take back that a task was completed
mutation UnmarkTask(
  $input: UnmarkTaskCompletedInput!
) {
  unmarkTaskCompleted(input: $input) {
    task {
      internalId
      subject
      completedAt
      completedStatus
      debtor {
        name
      }
    }
  }
}`;

export const MARK_MESSAGES = /* GraphQL */ `# Mark messages as read: one may fail
# while the others are changed
mutation MarkMessages(
  $input: UpdateMessagesInput!
) {
  updateMessages(input: $input) {
    success
    count
    errors {
      recordId
      messages
    }
    warnings {
      recordId
      messages
    }
  }
}`;

export const VIEWER = /* GraphQL */ `# Who am I, what does my token reach?
query Viewer {
  viewer {
    company {
      name
    }
    administrations {
      internalId
      name
    }
    scopes
    expiresAt
  }
}`;
