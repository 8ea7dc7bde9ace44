/* eslint-disable */
import * as types from './graphql.ts';



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
    "\n  fragment CityBar on DebtorGroup {\n    key\n    totals {\n      bookOpenAmount {\n        sum\n      }\n    }\n  }\n": typeof types.CityBarFragmentDoc,
    "\n  fragment DebtorRow on Debtor {\n    debtorNumber\n    name\n    bookOpenAmount\n    labels {\n      name\n    }\n  }\n": typeof types.DebtorRowFragmentDoc,
    "\n  query ExportDebtors($administrationId: ID!, $where: DebtorWhere, $orderBy: [DebtorOrder!]) {\n    debtors(administrationId: $administrationId, where: $where, orderBy: $orderBy) {\n      nodes {\n        ...DebtorRow\n      }\n    }\n  }\n": typeof types.ExportDebtorsDocument,
    "\n  fragment SummaryTotals on DebtorTotals {\n    count\n    isComplete\n    bookOpenAmount {\n      sum\n    }\n  }\n": typeof types.SummaryTotalsFragmentDoc,
    "\n  query Administrations {\n    viewer {\n      administrations {\n        internalId\n        name\n      }\n    }\n  }\n": typeof types.AdministrationsDocument,
    "\n  query DebtorPage(\n    $administrationId: ID!\n    $where: DebtorWhere\n    $orderBy: [DebtorOrder!]\n    $first: Int!\n    $after: String\n    $withTotals: Boolean!\n    $withLabels: Boolean!\n  ) {\n    debtors(administrationId: $administrationId, where: $where, orderBy: $orderBy, first: $first, after: $after) {\n      nodes {\n        id\n        ...DebtorRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totals @include(if: $withTotals) {\n        ...SummaryTotals\n      }\n      groups(by: LABELS_NAME) @include(if: $withLabels) {\n        key\n      }\n      cities: groups(by: POSTAL_ADDRESS_CITY, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }], first: 8)\n        @include(if: $withTotals) {\n        ...CityBar\n      }\n    }\n  }\n": typeof types.DebtorPageDocument,
    "\n  query DebtorTotals($administrationId: ID!, $where: DebtorWhere) {\n    debtors(administrationId: $administrationId, where: $where) {\n      totals {\n        ...SummaryTotals\n      }\n      cities: groups(by: POSTAL_ADDRESS_CITY, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }], first: 8) {\n        ...CityBar\n      }\n    }\n  }\n": typeof types.DebtorTotalsDocument,
    "\n  subscription Changes($administrationId: ID!, $since: DateTime, $after: String) {\n    changes(\n      administrationId: $administrationId\n      kinds: [DEBTOR_CHANGED, CREDIT_CASE_DELETED]\n      since: $since\n      after: $after\n    ) {\n      ... on DebtorChanged {\n        debtor {\n          id\n          ...DebtorRow\n        }\n      }\n      ... on CreditCaseDeleted {\n        deletedCreditCase {\n          debtor {\n            id\n            ...DebtorRow\n          }\n        }\n      }\n    }\n  }\n": typeof types.ChangesDocument,
    "\n  query ChangedDebtors($administrationId: ID!, $updatedAfter: DateTime!, $first: Int!, $after: String) {\n    debtors(administrationId: $administrationId, updatedAfter: $updatedAfter, first: $first, after: $after) {\n      nodes {\n        id\n        ...DebtorRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.ChangedDebtorsDocument,
};
const documents: Documents = {
    "\n  fragment CityBar on DebtorGroup {\n    key\n    totals {\n      bookOpenAmount {\n        sum\n      }\n    }\n  }\n": types.CityBarFragmentDoc,
    "\n  fragment DebtorRow on Debtor {\n    debtorNumber\n    name\n    bookOpenAmount\n    labels {\n      name\n    }\n  }\n": types.DebtorRowFragmentDoc,
    "\n  query ExportDebtors($administrationId: ID!, $where: DebtorWhere, $orderBy: [DebtorOrder!]) {\n    debtors(administrationId: $administrationId, where: $where, orderBy: $orderBy) {\n      nodes {\n        ...DebtorRow\n      }\n    }\n  }\n": types.ExportDebtorsDocument,
    "\n  fragment SummaryTotals on DebtorTotals {\n    count\n    isComplete\n    bookOpenAmount {\n      sum\n    }\n  }\n": types.SummaryTotalsFragmentDoc,
    "\n  query Administrations {\n    viewer {\n      administrations {\n        internalId\n        name\n      }\n    }\n  }\n": types.AdministrationsDocument,
    "\n  query DebtorPage(\n    $administrationId: ID!\n    $where: DebtorWhere\n    $orderBy: [DebtorOrder!]\n    $first: Int!\n    $after: String\n    $withTotals: Boolean!\n    $withLabels: Boolean!\n  ) {\n    debtors(administrationId: $administrationId, where: $where, orderBy: $orderBy, first: $first, after: $after) {\n      nodes {\n        id\n        ...DebtorRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totals @include(if: $withTotals) {\n        ...SummaryTotals\n      }\n      groups(by: LABELS_NAME) @include(if: $withLabels) {\n        key\n      }\n      cities: groups(by: POSTAL_ADDRESS_CITY, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }], first: 8)\n        @include(if: $withTotals) {\n        ...CityBar\n      }\n    }\n  }\n": types.DebtorPageDocument,
    "\n  query DebtorTotals($administrationId: ID!, $where: DebtorWhere) {\n    debtors(administrationId: $administrationId, where: $where) {\n      totals {\n        ...SummaryTotals\n      }\n      cities: groups(by: POSTAL_ADDRESS_CITY, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }], first: 8) {\n        ...CityBar\n      }\n    }\n  }\n": types.DebtorTotalsDocument,
    "\n  subscription Changes($administrationId: ID!, $since: DateTime, $after: String) {\n    changes(\n      administrationId: $administrationId\n      kinds: [DEBTOR_CHANGED, CREDIT_CASE_DELETED]\n      since: $since\n      after: $after\n    ) {\n      ... on DebtorChanged {\n        debtor {\n          id\n          ...DebtorRow\n        }\n      }\n      ... on CreditCaseDeleted {\n        deletedCreditCase {\n          debtor {\n            id\n            ...DebtorRow\n          }\n        }\n      }\n    }\n  }\n": types.ChangesDocument,
    "\n  query ChangedDebtors($administrationId: ID!, $updatedAfter: DateTime!, $first: Int!, $after: String) {\n    debtors(administrationId: $administrationId, updatedAfter: $updatedAfter, first: $first, after: $after) {\n      nodes {\n        id\n        ...DebtorRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.ChangedDebtorsDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment CityBar on DebtorGroup {\n    key\n    totals {\n      bookOpenAmount {\n        sum\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CityBarFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment DebtorRow on Debtor {\n    debtorNumber\n    name\n    bookOpenAmount\n    labels {\n      name\n    }\n  }\n"): typeof import('./graphql.ts').DebtorRowFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExportDebtors($administrationId: ID!, $where: DebtorWhere, $orderBy: [DebtorOrder!]) {\n    debtors(administrationId: $administrationId, where: $where, orderBy: $orderBy) {\n      nodes {\n        ...DebtorRow\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ExportDebtorsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SummaryTotals on DebtorTotals {\n    count\n    isComplete\n    bookOpenAmount {\n      sum\n    }\n  }\n"): typeof import('./graphql.ts').SummaryTotalsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Administrations {\n    viewer {\n      administrations {\n        internalId\n        name\n      }\n    }\n  }\n"): typeof import('./graphql.ts').AdministrationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DebtorPage(\n    $administrationId: ID!\n    $where: DebtorWhere\n    $orderBy: [DebtorOrder!]\n    $first: Int!\n    $after: String\n    $withTotals: Boolean!\n    $withLabels: Boolean!\n  ) {\n    debtors(administrationId: $administrationId, where: $where, orderBy: $orderBy, first: $first, after: $after) {\n      nodes {\n        id\n        ...DebtorRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totals @include(if: $withTotals) {\n        ...SummaryTotals\n      }\n      groups(by: LABELS_NAME) @include(if: $withLabels) {\n        key\n      }\n      cities: groups(by: POSTAL_ADDRESS_CITY, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }], first: 8)\n        @include(if: $withTotals) {\n        ...CityBar\n      }\n    }\n  }\n"): typeof import('./graphql.ts').DebtorPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DebtorTotals($administrationId: ID!, $where: DebtorWhere) {\n    debtors(administrationId: $administrationId, where: $where) {\n      totals {\n        ...SummaryTotals\n      }\n      cities: groups(by: POSTAL_ADDRESS_CITY, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }], first: 8) {\n        ...CityBar\n      }\n    }\n  }\n"): typeof import('./graphql.ts').DebtorTotalsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription Changes($administrationId: ID!, $since: DateTime, $after: String) {\n    changes(\n      administrationId: $administrationId\n      kinds: [DEBTOR_CHANGED, CREDIT_CASE_DELETED]\n      since: $since\n      after: $after\n    ) {\n      ... on DebtorChanged {\n        debtor {\n          id\n          ...DebtorRow\n        }\n      }\n      ... on CreditCaseDeleted {\n        deletedCreditCase {\n          debtor {\n            id\n            ...DebtorRow\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ChangesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ChangedDebtors($administrationId: ID!, $updatedAfter: DateTime!, $first: Int!, $after: String) {\n    debtors(administrationId: $administrationId, updatedAfter: $updatedAfter, first: $first, after: $after) {\n      nodes {\n        id\n        ...DebtorRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ChangedDebtorsDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
