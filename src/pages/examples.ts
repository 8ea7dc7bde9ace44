import { parse, print } from 'graphql';
import type { ExampleTab } from './graphiql.ts';

/** The records in the examples. Empty for a real service, where made-up ids could belong to real records. */
interface ExampleIds {
  readonly administrationId: string;
  readonly debtorNumber: string;
  readonly taskId: string;
  readonly messageIds: readonly string[];
}

/** Returns GraphiQL's examples, one for each capability. */
export function exampleTabs(ids: ExampleIds): readonly ExampleTab[] {
  const { administrationId, debtorNumber, taskId, messageIds } = ids;
  const owner = administrationId && `: this one is of ${administrationId}`;
  const deletedAfter = new Date(Date.now() - 30 * 86_400_000).toISOString().replace(/T.*/, 'T00:00:00Z');
  const messages = messageIds.map((id) => ({ id, read: true }));
  return [
    example('A page of debtors, with chosen fields', { administrationId, first: 10 })`
      query Debtors($administrationId: ID!, $first: Int, $after: String) {
        debtors(administrationId: $administrationId, first: $first, after: $after) {
          nodes { debtorNumber name bookOpenAmount labels { name } postalAddress { city countryCode } }
          pageInfo { hasNextPage endCursor } } }`,
    example('Debtors by a part of their name', { administrationId, text: 'jan', first: 20 })`
      query FindByName($administrationId: ID!, $text: String!, $first: Int) {
        debtors(administrationId: $administrationId, where: { name: { contains: $text } }, first: $first) {
          nodes { debtorNumber name primaryEmailAddress bookOpenAmount } } }`,
    example('The largest open amounts, of the whole list', { administrationId, first: 20 })`
      query WhoOwesMost($administrationId: ID!, $first: Int) {
        debtors(administrationId: $administrationId, where: { bookOpenAmount: { gt: "0" } }, first: $first,
          orderBy: [{ field: BOOK_OPEN_AMOUNT, direction: DESC }]) { nodes { debtorNumber name bookOpenAmount } } }`,
    example('All debtors added up, and by label', { administrationId })`
      query TotalsByLabel($administrationId: ID!) {
        debtors(administrationId: $administrationId) {
          totals { count bookOpenAmount { sum } }
          groups(by: LABELS_NAME) { key totals { count bookOpenAmount { sum } } } } }`,
    example('The cities with most open amounts', { administrationId, first: 10 })`
      query OpenAmountByCity($administrationId: ID!, $first: Int) {
        debtors(administrationId: $administrationId) {
          groups(by: POSTAL_ADDRESS_CITY, orderBy: [{ field: BOOK_OPEN_AMOUNT_SUM }], first: $first) {
            key totals { count bookOpenAmount { sum } } } } }`,
    example('Declaration lines per month', { administrationId })`
      query LinesByMonth($administrationId: ID!) {
        declarationLines(administrationId: $administrationId) {
          groups(by: CREATED_AT_MONTH) { key totals { count amount { sum } } } } }`,
    example('Credit cases deleted in the last 30 days', { administrationId, deletedAfter, first: 25 })`
      query DeletedCreditCases($administrationId: ID!, $deletedAfter: DateTime, $first: Int) {
        deletedCreditCases(administrationId: $administrationId, deletedAfter: $deletedAfter, first: $first,
          orderBy: [{ field: DELETED_AT, direction: DESC }]) {
          nodes { internalId deletedAt debtor { name primaryEmailAddress } } } }`,
    example('What changes from now on, the newest first', { administrationId, after: null })`
      subscription LiveChanges($administrationId: ID!, $kinds: [ChangeKind!], $after: String) {
        changes(administrationId: $administrationId, kinds: $kinds, after: $after) {
          kind seenAt
          ... on DebtorChanged { debtor { debtorNumber name bookOpenAmount } }
          ... on DeclarationLineChanged { declarationLine { internalId claimStatus amount } }
          ... on CreditCaseDeleted { deletedCreditCase { internalId deletedAt } }
          ... on PaymentDeleted { deletedPayment { internalId deletedAt } } cursor } }`,
    example('Declaration lines by claim status', { administrationId, claimStatus: 'ACTION_REQUIRED' })`
      query DeclarationLines($administrationId: ID!, $claimStatus: ClaimStatus) {
        declarationLines(administrationId: $administrationId, claimStatus: $claimStatus, first: 20) {
          nodes { internalId claimStatus claimResponseCodes amount rejectedAmount createdAt } } }`,
    example(`One debtor by its number${owner}`, { administrationId, debtorNumber })`
      query DebtorByNumber($administrationId: ID!, $debtorNumber: String!) {
        debtor(administrationId: $administrationId, by: { debtorNumber: $debtorNumber }) {
          id name bookOpenAmount creditLimitAmount paymentBehaviour updatedAt } }`,
    example('Companies of the application: takes its client id and secret')`
      query Companies { companies { nodes { internalId name status trial trialEndsOn } } }`,
    example('Take back that a task was completed', { input: { administrationId, taskId } })`
      mutation UnmarkTask($input: UnmarkTaskCompletedInput!) {
        unmarkTaskCompleted(input: $input) {
          task { internalId subject completedAt completedStatus debtor { name } } } }`,
    example('Mark messages as read: one may fail alone', { input: { administrationId, messages } })`
      mutation MarkMessages($input: UpdateMessagesInput!) {
        updateMessages(input: $input) {
          success count errors { recordId messages } warnings { recordId messages } } }`,
    example('Who am I, what does my token reach?')`
      query Viewer { viewer { company { name } administrations { internalId name } scopes expiresAt } }`,
  ];
}

/** Formats a document, so that it can be written compactly above. */
function example(comment: string, variables?: object) {
  return ([document = '']: TemplateStringsArray): ExampleTab => ({
    query: `# ${comment}\n${print(parse(document))}`,
    variables: variables ? JSON.stringify(variables, null, 2) : null,
  });
}

/** The values of an example: from the embedded service, or placeholders. */
export interface ExampleValues {
  readonly token: string;
  readonly administrationId: string;
}

/** Returns an operation for a shell. With trusted documents it has a hash instead of a query. */
export function curlExample(url: string, values: ExampleValues, trusted: boolean): string {
  const { token, administrationId } = values;
  const query = `{ debtors(administrationId: "${administrationId}", first: 3) { nodes { name bookOpenAmount } } }`;
  const body = trusted ? { documentId: '<hash of a document>' } : { query };
  return `curl ${url} \\
  -H 'Content-Type: application/json' \\
  -H 'Authorization: Bearer ${token}' \\
  -d '${JSON.stringify(body)}'`;
}
