import type { TypedDocumentString } from './generated/graphql.ts';

/** Whose debtors are shown, and with which credential. */
export interface Connection {
  readonly administrationId: string;
  readonly token: string;
}

/** An error of the gateway, with the code that says what kind it is. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/**
 * Runs an operation. The types of its variables and of its answer are those of the document. Where only a part
 * could be read, that part is the answer: null stands for the rest.
 */
export async function execute<Data, Variables>(
  token: string,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Data> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      Accept: 'application/graphql-response+json',
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
    },
    // A gateway that runs known documents alone goes by the hash, any other by the text.
    body: JSON.stringify({ documentId: document.__meta__?.hash, query: document, variables }),
    signal,
  });
  const { data, errors: [error] = [] } = await readAnswer<Data>(response);
  if (data) return data;
  throw new GatewayError(error?.message ?? 'The answer holds no data.', error?.extensions.code ?? 'NO_DATA');
}

/** A proxy that cannot reach the gateway answers too, but not with GraphQL. */
async function readAnswer<Data>(response: Response): Promise<Answer<Data>> {
  if (/json/.test(response.headers.get('content-type') ?? '')) return response.json();
  throw new GatewayError(`The gateway cannot be reached (HTTP status ${response.status}).`, 'UNREACHABLE');
}
