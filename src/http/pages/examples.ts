import type { ExampleTab } from './graphiql.ts';

/** The tabs that GraphiQL opens with: one per capability, with ids that exist in the embedded service. */
export const exampleTabs: readonly ExampleTab[] = [
  {
    title: 'A page of debtors, with chosen fields',
    query: /* GraphQL */ `query Debtors($administrationId: ID!, $first: Int, $after: String) {
  debtors(administrationId: $administrationId, first: $first, after: $after) {
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
}`,
    variables: { administrationId: '1001', first: 10 },
  },
  {
    title: 'Deleted credit cases with their debtors: two REST calls for a page',
    query: /* GraphQL */ `query DeletedCreditCases($administrationId: ID!, $first: Int) {
  deletedCreditCases(administrationId: $administrationId, first: $first) {
    nodes {
      internalId
      deletedAt
      debtor {
        name
        primaryEmailAddress
      }
    }
  }
}`,
    variables: { administrationId: '1001', first: 25 },
  },
  {
    title: 'Declaration lines by claim status',
    query: /* GraphQL */ `query DeclarationLines($administrationId: ID!, $claimStatus: ClaimStatus) {
  declarationLines(administrationId: $administrationId, claimStatus: $claimStatus, first: 20) {
    nodes {
      internalId
      claimStatus
      claimResponseCodes
      amount
      rejectedAmount
      createdAt
    }
  }
}`,
    variables: { administrationId: '1001', claimStatus: 'ACTION_REQUIRED' },
  },
  {
    title: 'One debtor by its number',
    query: /* GraphQL */ `query DebtorByNumber($administrationId: ID!, $debtorNumber: String!) {
  debtor(administrationId: $administrationId, by: { debtorNumber: $debtorNumber }) {
    id
    name
    bookOpenAmount
    creditLimitAmount
    paymentBehaviour
    updatedAt
  }
}`,
    variables: { administrationId: '1001', debtorNumber: 'D10000' },
  },
  {
    title: 'Companies connected to the application: takes X-Client-Authorization',
    query: /* GraphQL */ `query Companies {
  companies {
    nodes {
      internalId
      name
      status
      trial
      trialEndsOn
    }
  }
}`,
  },
  {
    title: 'Take back that a task was completed',
    query: /* GraphQL */ `mutation UnmarkTask($input: UnmarkTaskCompletedInput!) {
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
}`,
    variables: { input: { taskId: '400001', administrationId: '1001' } },
  },
  {
    title: 'Mark messages as read: single messages may fail while the others are changed',
    query: /* GraphQL */ `mutation MarkMessages($input: UpdateMessagesInput!) {
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
}`,
    variables: {
      input: {
        administrationId: '1001',
        messages: [
          { id: '500028', read: true },
          { id: 'unknown', read: true },
        ],
      },
    },
  },
  {
    title: 'Who am I, and what does my token reach?',
    query: /* GraphQL */ `query Viewer {
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
}`,
  },
].map(({ variables, ...tab }) => ({
  ...tab,
  ...(variables && { variables: JSON.stringify(variables, null, 2) }),
}));
