/* eslint-disable */
import * as types from './graphql.ts';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "# A page of debtors, with chosen fields\nquery Debtors(\n  $administrationId: ID!\n  $first: Int\n  $after: String\n) {\n  debtors(\n    administrationId: $administrationId\n    first: $first\n    after: $after\n  ) {\n    nodes {\n      debtorNumber\n      name\n      bookOpenAmount\n      labels {\n        name\n      }\n      postalAddress {\n        city\n        countryCode\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}": typeof types.DebtorsDocument,
    "# Deleted credit cases, their debtors:\n# two REST calls for a page\nquery DeletedCreditCases(\n  $administrationId: ID!\n  $first: Int\n) {\n  deletedCreditCases(\n    administrationId: $administrationId\n    first: $first\n  ) {\n    nodes {\n      internalId\n      deletedAt\n      debtor {\n        name\n        primaryEmailAddress\n      }\n    }\n  }\n}": typeof types.DeletedCreditCasesDocument,
    "# Declaration lines by claim status\nquery DeclarationLines(\n  $administrationId: ID!\n  $claimStatus: ClaimStatus\n) {\n  declarationLines(\n    administrationId: $administrationId\n    claimStatus: $claimStatus\n    first: 20\n  ) {\n    nodes {\n      internalId\n      claimStatus\n      claimResponseCodes\n      amount\n      rejectedAmount\n      createdAt\n    }\n  }\n}": typeof types.DeclarationLinesDocument,
    "# One debtor by its number\nquery DebtorByNumber(\n  $administrationId: ID!\n  $debtorNumber: String!\n) {\n  debtor(\n    administrationId: $administrationId\n    by: { debtorNumber: $debtorNumber }\n  ) {\n    id\n    name\n    bookOpenAmount\n    creditLimitAmount\n    paymentBehaviour\n    updatedAt\n  }\n}": typeof types.DebtorByNumberDocument,
    "# Companies of the application: takes\n# its client id and secret\nquery Companies {\n  companies {\n    nodes {\n      internalId\n      name\n      status\n      trial\n      trialEndsOn\n    }\n  }\n}": typeof types.CompaniesDocument,
    "# Take back that a task was completed\nmutation UnmarkTask(\n  $input: UnmarkTaskCompletedInput!\n) {\n  unmarkTaskCompleted(input: $input) {\n    task {\n      internalId\n      subject\n      completedAt\n      completedStatus\n      debtor {\n        name\n      }\n    }\n  }\n}": typeof types.UnmarkTaskDocument,
    "# Mark messages as read: one may fail\n# while the others are changed\nmutation MarkMessages(\n  $input: UpdateMessagesInput!\n) {\n  updateMessages(input: $input) {\n    success\n    count\n    errors {\n      recordId\n      messages\n    }\n    warnings {\n      recordId\n      messages\n    }\n  }\n}": typeof types.MarkMessagesDocument,
    "# Who am I, what does my token reach?\nquery Viewer {\n  viewer {\n    company {\n      name\n    }\n    administrations {\n      internalId\n      name\n    }\n    scopes\n    expiresAt\n  }\n}": typeof types.ViewerDocument,
    "\n  query FirstDebtor($administrationId: ID!) {\n    debtors(administrationId: $administrationId, first: 1) { nodes { name } }\n  }\n": typeof types.FirstDebtorDocument,
    "\n  query OwnAndForeignDebtor($own: ID!, $foreign: ID!, $debtorNumber: String!) {\n    own: debtor(administrationId: $own, by: { debtorNumber: $debtorNumber }) { name }\n    foreign: debtor(administrationId: $foreign, by: { debtorNumber: $debtorNumber }) { name }\n  }\n": typeof types.OwnAndForeignDebtorDocument,
    "\n  mutation MarkAsRead($input: UpdateMessagesInput!) {\n    updateMessages(input: $input) { success count }\n  }\n": typeof types.MarkAsReadDocument,
    "\n  query DebtorNodes($ids: [ID!]!) {\n    nodes(ids: $ids) {\n      ... on Debtor {\n        internalId\n        name\n      }\n    }\n  }\n": typeof types.DebtorNodesDocument,
    "\n        query FirstDebtorId($administrationId: ID!) {\n          debtors(administrationId: $administrationId, first: 1) { nodes { id } }\n        }\n      ": typeof types.FirstDebtorIdDocument,
    "\n  query DebtorsByIdentifier($identifiers: [String!], $first: Int, $after: String, $more: Boolean = false) {\n    debtors(administrationId: \"1001\", debtorIdentifiers: $identifiers, first: $first, after: $after) {\n      edges {\n        cursor\n        node {\n          internalId\n          ...AddressesOfDebtor @include(if: $more)\n        }\n      }\n      pageInfo { hasNextPage endCursor }\n    }\n  }\n  fragment AddressesOfDebtor on Debtor {\n    debtorProvidedEmailAddress\n    primaryEmailAddress\n    invoiceEmailAddress\n    invoiceCcEmailAddress\n    invoiceBccEmailAddress\n    reminderEmailAddress\n    reminderCcEmailAddress\n    reminderBccEmailAddress\n    internalNoteEmailAddress\n    externalCreditLimitCurrencyCode\n    autogeneratedCreditLimitAmount\n  }\n": typeof types.DebtorsByIdentifierDocument,
    "\n    mutation UnmarkTaskWithDebtor($taskId: ID!, $administrationId: ID) {\n      unmarkTaskCompleted(input: { taskId: $taskId, administrationId: $administrationId }) {\n        task { internalId subject completedAt completedStatus debtor { name } }\n      }\n    }\n  ": typeof types.UnmarkTaskWithDebtorDocument,
    "\n  query DebtorPage($administrationId: ID!, $first: Int, $after: String, $ids: [ID!]) {\n    debtors(administrationId: $administrationId, first: $first, after: $after, ids: $ids) {\n      edges { cursor node { internalId } }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }\n": typeof types.DebtorPageDocument,
    "\n        query ListsOfThreeLengths($administrationId: ID!) {\n          short: debtors(administrationId: $administrationId, first: 1) {\n            nodes { internalId }\n            pageInfo { hasNextPage endCursor }\n          }\n          long: debtors(administrationId: $administrationId, first: 4) {\n            nodes { internalId }\n            edges { cursor }\n            pageInfo { hasNextPage endCursor }\n          }\n          middle: debtors(administrationId: $administrationId, first: 3) {\n            nodes { internalId }\n            pageInfo { hasNextPage endCursor }\n          }\n        }\n      ": typeof types.ListsOfThreeLengthsDocument,
    "\n        query DebtorsOfDeletedCases($administrationId: ID!) {\n          deletedCreditCases(administrationId: $administrationId) {\n            nodes { debtorId debtor { internalId name } }\n          }\n        }\n      ": typeof types.DebtorsOfDeletedCasesDocument,
    "\n  mutation Refresh($refreshToken: String!) {\n    refreshAccessToken(input: { refreshToken: $refreshToken }) {\n      token { accessToken tokenType scopes createdAt expiresIn expiresAt refreshToken }\n    }\n  }\n": typeof types.RefreshDocument,
};
const documents: Documents = {
    "# A page of debtors, with chosen fields\nquery Debtors(\n  $administrationId: ID!\n  $first: Int\n  $after: String\n) {\n  debtors(\n    administrationId: $administrationId\n    first: $first\n    after: $after\n  ) {\n    nodes {\n      debtorNumber\n      name\n      bookOpenAmount\n      labels {\n        name\n      }\n      postalAddress {\n        city\n        countryCode\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}": types.DebtorsDocument,
    "# Deleted credit cases, their debtors:\n# two REST calls for a page\nquery DeletedCreditCases(\n  $administrationId: ID!\n  $first: Int\n) {\n  deletedCreditCases(\n    administrationId: $administrationId\n    first: $first\n  ) {\n    nodes {\n      internalId\n      deletedAt\n      debtor {\n        name\n        primaryEmailAddress\n      }\n    }\n  }\n}": types.DeletedCreditCasesDocument,
    "# Declaration lines by claim status\nquery DeclarationLines(\n  $administrationId: ID!\n  $claimStatus: ClaimStatus\n) {\n  declarationLines(\n    administrationId: $administrationId\n    claimStatus: $claimStatus\n    first: 20\n  ) {\n    nodes {\n      internalId\n      claimStatus\n      claimResponseCodes\n      amount\n      rejectedAmount\n      createdAt\n    }\n  }\n}": types.DeclarationLinesDocument,
    "# One debtor by its number\nquery DebtorByNumber(\n  $administrationId: ID!\n  $debtorNumber: String!\n) {\n  debtor(\n    administrationId: $administrationId\n    by: { debtorNumber: $debtorNumber }\n  ) {\n    id\n    name\n    bookOpenAmount\n    creditLimitAmount\n    paymentBehaviour\n    updatedAt\n  }\n}": types.DebtorByNumberDocument,
    "# Companies of the application: takes\n# its client id and secret\nquery Companies {\n  companies {\n    nodes {\n      internalId\n      name\n      status\n      trial\n      trialEndsOn\n    }\n  }\n}": types.CompaniesDocument,
    "# Take back that a task was completed\nmutation UnmarkTask(\n  $input: UnmarkTaskCompletedInput!\n) {\n  unmarkTaskCompleted(input: $input) {\n    task {\n      internalId\n      subject\n      completedAt\n      completedStatus\n      debtor {\n        name\n      }\n    }\n  }\n}": types.UnmarkTaskDocument,
    "# Mark messages as read: one may fail\n# while the others are changed\nmutation MarkMessages(\n  $input: UpdateMessagesInput!\n) {\n  updateMessages(input: $input) {\n    success\n    count\n    errors {\n      recordId\n      messages\n    }\n    warnings {\n      recordId\n      messages\n    }\n  }\n}": types.MarkMessagesDocument,
    "# Who am I, what does my token reach?\nquery Viewer {\n  viewer {\n    company {\n      name\n    }\n    administrations {\n      internalId\n      name\n    }\n    scopes\n    expiresAt\n  }\n}": types.ViewerDocument,
    "\n  query FirstDebtor($administrationId: ID!) {\n    debtors(administrationId: $administrationId, first: 1) { nodes { name } }\n  }\n": types.FirstDebtorDocument,
    "\n  query OwnAndForeignDebtor($own: ID!, $foreign: ID!, $debtorNumber: String!) {\n    own: debtor(administrationId: $own, by: { debtorNumber: $debtorNumber }) { name }\n    foreign: debtor(administrationId: $foreign, by: { debtorNumber: $debtorNumber }) { name }\n  }\n": types.OwnAndForeignDebtorDocument,
    "\n  mutation MarkAsRead($input: UpdateMessagesInput!) {\n    updateMessages(input: $input) { success count }\n  }\n": types.MarkAsReadDocument,
    "\n  query DebtorNodes($ids: [ID!]!) {\n    nodes(ids: $ids) {\n      ... on Debtor {\n        internalId\n        name\n      }\n    }\n  }\n": types.DebtorNodesDocument,
    "\n        query FirstDebtorId($administrationId: ID!) {\n          debtors(administrationId: $administrationId, first: 1) { nodes { id } }\n        }\n      ": types.FirstDebtorIdDocument,
    "\n  query DebtorsByIdentifier($identifiers: [String!], $first: Int, $after: String, $more: Boolean = false) {\n    debtors(administrationId: \"1001\", debtorIdentifiers: $identifiers, first: $first, after: $after) {\n      edges {\n        cursor\n        node {\n          internalId\n          ...AddressesOfDebtor @include(if: $more)\n        }\n      }\n      pageInfo { hasNextPage endCursor }\n    }\n  }\n  fragment AddressesOfDebtor on Debtor {\n    debtorProvidedEmailAddress\n    primaryEmailAddress\n    invoiceEmailAddress\n    invoiceCcEmailAddress\n    invoiceBccEmailAddress\n    reminderEmailAddress\n    reminderCcEmailAddress\n    reminderBccEmailAddress\n    internalNoteEmailAddress\n    externalCreditLimitCurrencyCode\n    autogeneratedCreditLimitAmount\n  }\n": types.DebtorsByIdentifierDocument,
    "\n    mutation UnmarkTaskWithDebtor($taskId: ID!, $administrationId: ID) {\n      unmarkTaskCompleted(input: { taskId: $taskId, administrationId: $administrationId }) {\n        task { internalId subject completedAt completedStatus debtor { name } }\n      }\n    }\n  ": types.UnmarkTaskWithDebtorDocument,
    "\n  query DebtorPage($administrationId: ID!, $first: Int, $after: String, $ids: [ID!]) {\n    debtors(administrationId: $administrationId, first: $first, after: $after, ids: $ids) {\n      edges { cursor node { internalId } }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }\n": types.DebtorPageDocument,
    "\n        query ListsOfThreeLengths($administrationId: ID!) {\n          short: debtors(administrationId: $administrationId, first: 1) {\n            nodes { internalId }\n            pageInfo { hasNextPage endCursor }\n          }\n          long: debtors(administrationId: $administrationId, first: 4) {\n            nodes { internalId }\n            edges { cursor }\n            pageInfo { hasNextPage endCursor }\n          }\n          middle: debtors(administrationId: $administrationId, first: 3) {\n            nodes { internalId }\n            pageInfo { hasNextPage endCursor }\n          }\n        }\n      ": types.ListsOfThreeLengthsDocument,
    "\n        query DebtorsOfDeletedCases($administrationId: ID!) {\n          deletedCreditCases(administrationId: $administrationId) {\n            nodes { debtorId debtor { internalId name } }\n          }\n        }\n      ": types.DebtorsOfDeletedCasesDocument,
    "\n  mutation Refresh($refreshToken: String!) {\n    refreshAccessToken(input: { refreshToken: $refreshToken }) {\n      token { accessToken tokenType scopes createdAt expiresIn expiresAt refreshToken }\n    }\n  }\n": types.RefreshDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "# A page of debtors, with chosen fields\nquery Debtors(\n  $administrationId: ID!\n  $first: Int\n  $after: String\n) {\n  debtors(\n    administrationId: $administrationId\n    first: $first\n    after: $after\n  ) {\n    nodes {\n      debtorNumber\n      name\n      bookOpenAmount\n      labels {\n        name\n      }\n      postalAddress {\n        city\n        countryCode\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}"): (typeof documents)["# A page of debtors, with chosen fields\nquery Debtors(\n  $administrationId: ID!\n  $first: Int\n  $after: String\n) {\n  debtors(\n    administrationId: $administrationId\n    first: $first\n    after: $after\n  ) {\n    nodes {\n      debtorNumber\n      name\n      bookOpenAmount\n      labels {\n        name\n      }\n      postalAddress {\n        city\n        countryCode\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "# Deleted credit cases, their debtors:\n# two REST calls for a page\nquery DeletedCreditCases(\n  $administrationId: ID!\n  $first: Int\n) {\n  deletedCreditCases(\n    administrationId: $administrationId\n    first: $first\n  ) {\n    nodes {\n      internalId\n      deletedAt\n      debtor {\n        name\n        primaryEmailAddress\n      }\n    }\n  }\n}"): (typeof documents)["# Deleted credit cases, their debtors:\n# two REST calls for a page\nquery DeletedCreditCases(\n  $administrationId: ID!\n  $first: Int\n) {\n  deletedCreditCases(\n    administrationId: $administrationId\n    first: $first\n  ) {\n    nodes {\n      internalId\n      deletedAt\n      debtor {\n        name\n        primaryEmailAddress\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "# Declaration lines by claim status\nquery DeclarationLines(\n  $administrationId: ID!\n  $claimStatus: ClaimStatus\n) {\n  declarationLines(\n    administrationId: $administrationId\n    claimStatus: $claimStatus\n    first: 20\n  ) {\n    nodes {\n      internalId\n      claimStatus\n      claimResponseCodes\n      amount\n      rejectedAmount\n      createdAt\n    }\n  }\n}"): (typeof documents)["# Declaration lines by claim status\nquery DeclarationLines(\n  $administrationId: ID!\n  $claimStatus: ClaimStatus\n) {\n  declarationLines(\n    administrationId: $administrationId\n    claimStatus: $claimStatus\n    first: 20\n  ) {\n    nodes {\n      internalId\n      claimStatus\n      claimResponseCodes\n      amount\n      rejectedAmount\n      createdAt\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "# One debtor by its number\nquery DebtorByNumber(\n  $administrationId: ID!\n  $debtorNumber: String!\n) {\n  debtor(\n    administrationId: $administrationId\n    by: { debtorNumber: $debtorNumber }\n  ) {\n    id\n    name\n    bookOpenAmount\n    creditLimitAmount\n    paymentBehaviour\n    updatedAt\n  }\n}"): (typeof documents)["# One debtor by its number\nquery DebtorByNumber(\n  $administrationId: ID!\n  $debtorNumber: String!\n) {\n  debtor(\n    administrationId: $administrationId\n    by: { debtorNumber: $debtorNumber }\n  ) {\n    id\n    name\n    bookOpenAmount\n    creditLimitAmount\n    paymentBehaviour\n    updatedAt\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "# Companies of the application: takes\n# its client id and secret\nquery Companies {\n  companies {\n    nodes {\n      internalId\n      name\n      status\n      trial\n      trialEndsOn\n    }\n  }\n}"): (typeof documents)["# Companies of the application: takes\n# its client id and secret\nquery Companies {\n  companies {\n    nodes {\n      internalId\n      name\n      status\n      trial\n      trialEndsOn\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "# Take back that a task was completed\nmutation UnmarkTask(\n  $input: UnmarkTaskCompletedInput!\n) {\n  unmarkTaskCompleted(input: $input) {\n    task {\n      internalId\n      subject\n      completedAt\n      completedStatus\n      debtor {\n        name\n      }\n    }\n  }\n}"): (typeof documents)["# Take back that a task was completed\nmutation UnmarkTask(\n  $input: UnmarkTaskCompletedInput!\n) {\n  unmarkTaskCompleted(input: $input) {\n    task {\n      internalId\n      subject\n      completedAt\n      completedStatus\n      debtor {\n        name\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "# Mark messages as read: one may fail\n# while the others are changed\nmutation MarkMessages(\n  $input: UpdateMessagesInput!\n) {\n  updateMessages(input: $input) {\n    success\n    count\n    errors {\n      recordId\n      messages\n    }\n    warnings {\n      recordId\n      messages\n    }\n  }\n}"): (typeof documents)["# Mark messages as read: one may fail\n# while the others are changed\nmutation MarkMessages(\n  $input: UpdateMessagesInput!\n) {\n  updateMessages(input: $input) {\n    success\n    count\n    errors {\n      recordId\n      messages\n    }\n    warnings {\n      recordId\n      messages\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "# Who am I, what does my token reach?\nquery Viewer {\n  viewer {\n    company {\n      name\n    }\n    administrations {\n      internalId\n      name\n    }\n    scopes\n    expiresAt\n  }\n}"): (typeof documents)["# Who am I, what does my token reach?\nquery Viewer {\n  viewer {\n    company {\n      name\n    }\n    administrations {\n      internalId\n      name\n    }\n    scopes\n    expiresAt\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FirstDebtor($administrationId: ID!) {\n    debtors(administrationId: $administrationId, first: 1) { nodes { name } }\n  }\n"): (typeof documents)["\n  query FirstDebtor($administrationId: ID!) {\n    debtors(administrationId: $administrationId, first: 1) { nodes { name } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OwnAndForeignDebtor($own: ID!, $foreign: ID!, $debtorNumber: String!) {\n    own: debtor(administrationId: $own, by: { debtorNumber: $debtorNumber }) { name }\n    foreign: debtor(administrationId: $foreign, by: { debtorNumber: $debtorNumber }) { name }\n  }\n"): (typeof documents)["\n  query OwnAndForeignDebtor($own: ID!, $foreign: ID!, $debtorNumber: String!) {\n    own: debtor(administrationId: $own, by: { debtorNumber: $debtorNumber }) { name }\n    foreign: debtor(administrationId: $foreign, by: { debtorNumber: $debtorNumber }) { name }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MarkAsRead($input: UpdateMessagesInput!) {\n    updateMessages(input: $input) { success count }\n  }\n"): (typeof documents)["\n  mutation MarkAsRead($input: UpdateMessagesInput!) {\n    updateMessages(input: $input) { success count }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DebtorNodes($ids: [ID!]!) {\n    nodes(ids: $ids) {\n      ... on Debtor {\n        internalId\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query DebtorNodes($ids: [ID!]!) {\n    nodes(ids: $ids) {\n      ... on Debtor {\n        internalId\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n        query FirstDebtorId($administrationId: ID!) {\n          debtors(administrationId: $administrationId, first: 1) { nodes { id } }\n        }\n      "): (typeof documents)["\n        query FirstDebtorId($administrationId: ID!) {\n          debtors(administrationId: $administrationId, first: 1) { nodes { id } }\n        }\n      "];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DebtorsByIdentifier($identifiers: [String!], $first: Int, $after: String, $more: Boolean = false) {\n    debtors(administrationId: \"1001\", debtorIdentifiers: $identifiers, first: $first, after: $after) {\n      edges {\n        cursor\n        node {\n          internalId\n          ...AddressesOfDebtor @include(if: $more)\n        }\n      }\n      pageInfo { hasNextPage endCursor }\n    }\n  }\n  fragment AddressesOfDebtor on Debtor {\n    debtorProvidedEmailAddress\n    primaryEmailAddress\n    invoiceEmailAddress\n    invoiceCcEmailAddress\n    invoiceBccEmailAddress\n    reminderEmailAddress\n    reminderCcEmailAddress\n    reminderBccEmailAddress\n    internalNoteEmailAddress\n    externalCreditLimitCurrencyCode\n    autogeneratedCreditLimitAmount\n  }\n"): (typeof documents)["\n  query DebtorsByIdentifier($identifiers: [String!], $first: Int, $after: String, $more: Boolean = false) {\n    debtors(administrationId: \"1001\", debtorIdentifiers: $identifiers, first: $first, after: $after) {\n      edges {\n        cursor\n        node {\n          internalId\n          ...AddressesOfDebtor @include(if: $more)\n        }\n      }\n      pageInfo { hasNextPage endCursor }\n    }\n  }\n  fragment AddressesOfDebtor on Debtor {\n    debtorProvidedEmailAddress\n    primaryEmailAddress\n    invoiceEmailAddress\n    invoiceCcEmailAddress\n    invoiceBccEmailAddress\n    reminderEmailAddress\n    reminderCcEmailAddress\n    reminderBccEmailAddress\n    internalNoteEmailAddress\n    externalCreditLimitCurrencyCode\n    autogeneratedCreditLimitAmount\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n    mutation UnmarkTaskWithDebtor($taskId: ID!, $administrationId: ID) {\n      unmarkTaskCompleted(input: { taskId: $taskId, administrationId: $administrationId }) {\n        task { internalId subject completedAt completedStatus debtor { name } }\n      }\n    }\n  "): (typeof documents)["\n    mutation UnmarkTaskWithDebtor($taskId: ID!, $administrationId: ID) {\n      unmarkTaskCompleted(input: { taskId: $taskId, administrationId: $administrationId }) {\n        task { internalId subject completedAt completedStatus debtor { name } }\n      }\n    }\n  "];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DebtorPage($administrationId: ID!, $first: Int, $after: String, $ids: [ID!]) {\n    debtors(administrationId: $administrationId, first: $first, after: $after, ids: $ids) {\n      edges { cursor node { internalId } }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }\n"): (typeof documents)["\n  query DebtorPage($administrationId: ID!, $first: Int, $after: String, $ids: [ID!]) {\n    debtors(administrationId: $administrationId, first: $first, after: $after, ids: $ids) {\n      edges { cursor node { internalId } }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n        query ListsOfThreeLengths($administrationId: ID!) {\n          short: debtors(administrationId: $administrationId, first: 1) {\n            nodes { internalId }\n            pageInfo { hasNextPage endCursor }\n          }\n          long: debtors(administrationId: $administrationId, first: 4) {\n            nodes { internalId }\n            edges { cursor }\n            pageInfo { hasNextPage endCursor }\n          }\n          middle: debtors(administrationId: $administrationId, first: 3) {\n            nodes { internalId }\n            pageInfo { hasNextPage endCursor }\n          }\n        }\n      "): (typeof documents)["\n        query ListsOfThreeLengths($administrationId: ID!) {\n          short: debtors(administrationId: $administrationId, first: 1) {\n            nodes { internalId }\n            pageInfo { hasNextPage endCursor }\n          }\n          long: debtors(administrationId: $administrationId, first: 4) {\n            nodes { internalId }\n            edges { cursor }\n            pageInfo { hasNextPage endCursor }\n          }\n          middle: debtors(administrationId: $administrationId, first: 3) {\n            nodes { internalId }\n            pageInfo { hasNextPage endCursor }\n          }\n        }\n      "];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n        query DebtorsOfDeletedCases($administrationId: ID!) {\n          deletedCreditCases(administrationId: $administrationId) {\n            nodes { debtorId debtor { internalId name } }\n          }\n        }\n      "): (typeof documents)["\n        query DebtorsOfDeletedCases($administrationId: ID!) {\n          deletedCreditCases(administrationId: $administrationId) {\n            nodes { debtorId debtor { internalId name } }\n          }\n        }\n      "];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Refresh($refreshToken: String!) {\n    refreshAccessToken(input: { refreshToken: $refreshToken }) {\n      token { accessToken tokenType scopes createdAt expiresIn expiresAt refreshToken }\n    }\n  }\n"): (typeof documents)["\n  mutation Refresh($refreshToken: String!) {\n    refreshAccessToken(input: { refreshToken: $refreshToken }) {\n      token { accessToken tokenType scopes createdAt expiresIn expiresAt refreshToken }\n    }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;