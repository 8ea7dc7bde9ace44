export interface CurlOptions {
  readonly url: string;
  readonly token: string;
  /** Whether only known documents are run, so that a hash goes in place of a query. */
  readonly trusted: boolean;
}

/** A first operation, to paste into a shell. */
export function curlExample({ url, token, trusted }: CurlOptions): string {
  const query = '{ debtors(administrationId: "1001", first: 3) { nodes { name bookOpenAmount } } }';
  const body = trusted ? { documentId: '<hash of a document>' } : { query };
  return `curl ${url} \\
  -H 'Content-Type: application/json' \\
  -H 'Authorization: Bearer ${token}' \\
  -d '${JSON.stringify(body)}'`;
}
