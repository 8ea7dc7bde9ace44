import * as documents from './example-documents.ts';
import type { ExampleTab } from './graphiql.ts';

/** Records that the examples name. Empty for a real service, where made-up ids might be those of other records. */
export interface ExampleIds {
  readonly administrationId: string;
  readonly debtorNumber: string;
  readonly taskId: string;
  readonly messageIds: readonly string[];
}

/** The tabs that GraphiQL opens with: one per capability. */
export function exampleTabs(ids: ExampleIds): readonly ExampleTab[] {
  const { administrationId, debtorNumber, taskId, messageIds } = ids;
  return [
    example(documents.DEBTORS, { administrationId, first: 10 }),
    example(documents.WHO_OWES_MOST, { administrationId, first: 20 }),
    example(documents.TOTALS_BY_LABEL, { administrationId }),
    example(documents.OPEN_AMOUNT_BY_CITY, { administrationId, first: 10 }),
    example(documents.LINES_BY_MONTH, { administrationId }),
    example(documents.DELETED_CREDIT_CASES, { administrationId, first: 25 }),
    example(documents.LIVE_CHANGES, { administrationId }),
    example(documents.DECLARATION_LINES, { administrationId, claimStatus: 'ACTION_REQUIRED' }),
    example(documents.DEBTOR_BY_NUMBER, { administrationId, debtorNumber }),
    example(documents.COMPANIES),
    example(documents.UNMARK_TASK, { input: { administrationId, taskId } }),
    example(documents.MARK_MESSAGES, {
      input: { administrationId, messages: messageIds.map((id) => ({ id, read: true })) },
    }),
    example(documents.VIEWER),
  ];
}

function example(query: string, variables?: object): ExampleTab {
  return { query, variables: variables ? JSON.stringify(variables, null, 2) : null };
}

/** Values for the example: those of the embedded service, or placeholders. */
export interface ExampleValues {
  readonly token: string;
  readonly administrationId: string;
}

interface CurlOptions extends ExampleValues {
  readonly url: string;
  /** Whether only trusted documents are run, so that the example sends a hash instead of a query. */
  readonly trusted: boolean;
}

/** An example operation, to paste into a shell. */
export function curlExample({ url, token, administrationId, trusted }: CurlOptions): string {
  const query = `{ debtors(administrationId: "${administrationId}", first: 3) { nodes { name bookOpenAmount } } }`;
  const body = trusted ? { documentId: '<hash of a document>' } : { query };
  return `curl ${url} \\
  -H 'Content-Type: application/json' \\
  -H 'Authorization: Bearer ${token}' \\
  -d '${JSON.stringify(body)}'`;
}
