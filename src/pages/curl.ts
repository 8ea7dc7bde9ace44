/** Values for the example: those of the embedded service, or placeholders. */
export interface ExampleValues {
  readonly token: string;
  readonly administrationId: string;
}

export interface CurlOptions extends ExampleValues {
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
