import type { TypedDocumentString } from './generated/graphql.ts';

/** The administration whose debtors are shown, and the credential. */
export interface Connection {
  readonly administrationId: string;
  /** Returns the latest token: an access token expires after some hours. */
  readonly token: () => string;
  /** How many tokens the user has entered so far. */
  readonly renewals: number;
}

/** An error from the gateway with its code. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }

  /** Whether the token was rejected: sending it again will not help, but another token may. */
  get isRefusal(): boolean {
    return this.code === 'UNAUTHENTICATED' || this.code === 'FORBIDDEN';
  }

  /** Converts anything thrown: `fetch` throws its own errors if it cannot connect. */
  static from(error: unknown): GatewayError {
    if (error instanceof GatewayError) return error;
    return new GatewayError('The gateway cannot be reached.', 'UNREACHABLE');
  }
}

interface GatewayResult<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/** When a request was sent. */
export interface Sent {
  /** From `performance.now()`, which never goes back: of two requests, the later one has newer data. */
  readonly at: number;
  /** In the gateway's time, in milliseconds: the user's clock may be wrong. */
  readonly gatewayTime: number;
}

/** The data that could be read, with null for the rest, and the first error. */
interface Outcome<Data> {
  readonly data?: Data | null | undefined;
  readonly error: GatewayError;
  readonly sent: Sent;
}

/** Runs an operation. The document determines the types of its variables and result. */
export async function execute<Data, Variables>(
  token: string,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Outcome<Data>> {
  const at = performance.now();
  const response = await post('/graphql', token, document, variables, signal);
  // A page of another origin cannot read this header.
  const respondedAt = Date.parse(response.headers.get('date') ?? '') || Date.now();
  const sent = { at, gatewayTime: respondedAt - (performance.now() - at) };
  const { data, errors } = await readResult<Data>(response);
  return { data, error: firstError(errors), sent };
}

/** Opens a subscription over Server-Sent Events. */
export function subscribe<Data, Variables>(
  token: string,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Response> {
  return post('/graphql', token, document, variables, signal, 'text/event-stream');
}

/** In locales with a decimal comma, Excel expects semicolons between cells. */
const CSV_STYLE = (0.5).toLocaleString().includes(',') ? '&separator=%3B&decimal=%2C' : '';

/** Downloads a list as CSV. `bom` adds a byte order mark, so that Excel recognizes UTF-8. */
export async function download<Data, Variables>(
  token: string,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Blob> {
  const response = await post(`/graphql.csv?bom=1${CSV_STYLE}`, token, document, variables, signal);
  if (response.ok) return response.blob();
  throw firstError((await readResult(response)).errors);
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
      // Without this, the page could take cached data for the newest. The option `cache: 'no-store'` does not
      // help, because Chromium then sends no such header.
      'Cache-Control': 'no-cache',
      'Content-Type': 'application/json',
    },
    // A gateway with trusted documents uses the hash, any other the text.
    body: JSON.stringify({ documentId: document.__meta__?.hash, query: document, variables }),
    signal,
  });
}

function firstError([error]: GatewayResult<unknown>['errors'] = []): GatewayError {
  const message = error?.message ?? 'The response has no data.';
  return new GatewayError(message, error?.extensions.code ?? 'NO_DATA');
}

/** Parses the result. A proxy that cannot reach the gateway responds too, but not with GraphQL. */
async function readResult<Data>(response: Response): Promise<GatewayResult<Data>> {
  if (/json/.test(response.headers.get('content-type') ?? '')) return response.json();
  throw new GatewayError(`The gateway cannot be reached (HTTP status ${response.status}).`, 'UNREACHABLE');
}
