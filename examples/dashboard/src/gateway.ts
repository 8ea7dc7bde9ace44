import type { TypedDocumentString } from './generated/graphql.ts';

/** Whose debtors are shown, and with which credential. */
export interface Connection {
  readonly administrationId: string;
  /** The one that was given last: an access token is worth something for an hour or so. */
  readonly token: () => string;
  /** How many tokens were given so far. */
  readonly renewals: number;
}

/** An error of the gateway, with the code that says what kind it is. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }

  /** The token was refused: to send it again will not help, another token may. */
  get isRefusal(): boolean {
    return this.code === 'UNAUTHENTICATED' || this.code === 'FORBIDDEN';
  }

  /** Whatever was thrown: `fetch` has errors of its own where it reaches nobody. */
  static from(error: unknown): GatewayError {
    if (error instanceof GatewayError) return error;
    return new GatewayError('The gateway cannot be reached.', 'UNREACHABLE');
  }
}

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/** When a request was sent. */
export interface Sent {
  /** By the timer of this page, which never goes back: of two requests, the later one read what is newer. */
  readonly at: number;
  /** By the gateway's clock, in milliseconds: clocks of readers are often wrong. */
  readonly gatewayTime: number;
}

/** What could be read, where null stands for what could not, and why the first of that could not. */
interface Outcome<Data> {
  readonly data?: Data | null | undefined;
  readonly error: GatewayError;
  readonly sent: Sent;
}

/** Runs an operation. The types of its variables and of its answer are those of the document. */
export async function execute<Data, Variables>(
  token: string,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Outcome<Data>> {
  const at = performance.now();
  const response = await post('/graphql', token, document, variables, signal);
  // The header is hidden from a page of another origin.
  const answered = Date.parse(response.headers.get('date') ?? '') || Date.now();
  const sent = { at, gatewayTime: answered - (performance.now() - at) };
  const { data, errors } = await readAnswer<Data>(response);
  return { data, error: firstError(errors), sent };
}

/** A subscription, as Server-Sent Events. */
export function subscribe<Data, Variables>(
  token: string,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Response> {
  return post('/graphql', token, document, variables, signal, 'text/event-stream');
}

/** Where decimals follow a comma, Excel expects semicolons between cells. */
const CSV_STYLE = (0.5).toLocaleString().includes(',') ? '&separator=%3B&decimal=%2C' : '';

/** The rows of a list as CSV. Excel takes it for UTF-8 by the mark that `bom` puts in front. */
export async function download<Data, Variables>(
  token: string,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Blob> {
  const response = await post(`/graphql.csv?bom=1${CSV_STYLE}`, token, document, variables, signal);
  if (response.ok) return response.blob();
  throw firstError((await readAnswer(response)).errors);
}

function post<Data, Variables>(
  path: string,
  token: string,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
  accept = 'application/graphql-response+json',
): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: {
      Accept: accept,
      Authorization: `Bearer ${token}`,
      // Else the gateway might give what it read seconds ago, and this page take it for the newest. Not by the option
      // `cache`: with `no-store`, Chromium sends no such header.
      'Cache-Control': 'no-cache',
      'Content-Type': 'application/json',
    },
    // A gateway that runs known documents alone goes by the hash, any other by the text.
    body: JSON.stringify({ documentId: document.__meta__?.hash, query: document, variables }),
    signal,
  });
}

function firstError([error]: Answer<unknown>['errors'] = []): GatewayError {
  const message = error?.message ?? 'The answer does not hold what was asked for.';
  return new GatewayError(message, error?.extensions.code ?? 'NO_DATA');
}

/** A proxy that cannot reach the gateway answers too, but not with GraphQL. */
async function readAnswer<Data>(response: Response): Promise<Answer<Data>> {
  if (/json/.test(response.headers.get('content-type') ?? '')) return response.json();
  throw new GatewayError(`The gateway cannot be reached (HTTP status ${response.status}).`, 'UNREACHABLE');
}
