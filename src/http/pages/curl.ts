/** What the example is filled in with: what the embedded service knows, or what to put in its place. */
export interface ExampleValues {
  readonly token: string;
  readonly administrationId: string;
}

export interface CurlOptions extends ExampleValues {
  readonly url: string;
  /** Whether only known documents are run, so that a hash goes in place of a query. */
  readonly trusted: boolean;
}

/** A first operation, to paste into a shell. */
export function curlExample({ url, token, administrationId, trusted }: CurlOptions): string {
  const query = `{ debtors(administrationId: "${administrationId}", first: 3) { nodes { name bookOpenAmount } } }`;
  const body = trusted ? { documentId: '<hash of a document>' } : { query };
  return `curl ${url} \\
  -H 'Content-Type: application/json' \\
  -H 'Authorization: Bearer ${token}' \\
  -d '${JSON.stringify(body)}'`;
}
