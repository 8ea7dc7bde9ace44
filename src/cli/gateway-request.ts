import { createHash } from 'node:crypto';
import { type Dispatcher, fetch } from 'undici';
import type { Environment } from '../config/index.ts';
import { jittered } from '../limits/jitter.ts';
import { version } from '../version.ts';
import { broken, CommandFailure, failureOfResponse, UsageError } from './failure.ts';

/** A document is checked before it is sent. */
export const BY_THIS_SCHEMA = `The schema is that of version ${version}: the gateway's should be the same.`;

export interface SentOperation {
  readonly query: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly operationName?: string | undefined;
}

interface GatewayRequest {
  readonly url: URL;
  readonly signal: AbortSignal;
  readonly dispatcher: Dispatcher;
  readonly token: string;
  readonly operation: SentOperation;
  /** The media type of the answer, besides that of errors. */
  readonly type: string;
}

const JSON_TYPES = 'application/graphql-response+json, application/json';

/** Sends an operation, and returns the body of an answer of that type; throws CommandFailure for any other answer. */
export async function sendOperation(request: GatewayRequest): Promise<AsyncIterable<Uint8Array>> {
  const { url, operation, token, type: wanted, dispatcher, signal } = request;
  // A gateway that runs only trusted documents knows them by their hash.
  const hash = createHash('sha256').update(operation.query).digest('hex');
  const accept = `${wanted}, ${JSON_TYPES}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
    body: JSON.stringify({ ...operation, documentId: `sha256:${hash}` }),
    // A redirect would turn the request into a GET, or take the token elsewhere.
    redirect: 'manual',
    dispatcher,
    signal,
  });
  const { status, headers, body } = response;
  const type = headers.get('content-type') ?? 'no type';
  if (status === 200 && body && type.startsWith(wanted)) return body;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location)
    throw new CommandFailure(`The address redirects to ${location}: give that one as --url.`);
  const text = await response.text();
  if (status === 200 && !type.includes('json'))
    throw new CommandFailure(`This is not the endpoint of such a gateway: it answered with ${type}.`);
  throw failureOfResponse(status, headers.get('retry-after'), text);
}

/** The code of a port at which nothing listens. Where nothing ever has, the address is wrong, and no wait helps. */
export const NOBODY_THERE = 'ECONNREFUSED';

/** Of undici, whose errors have what happened as their cause. Whoever interrupts the command knows why. */
export function connectionFailure(
  error: unknown,
  { url, signal }: Pick<GatewayRequest, 'url' | 'signal'>,
): unknown {
  if (signal.aborted || error instanceof CommandFailure || !(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const reason = String('code' in cause ? cause.code : cause.message);
  // What TLS makes of an answer in plain HTTP.
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(reason))
    return new CommandFailure(`${url.host} speaks http, not https: begin --url with http://.`);
  return reason === NOBODY_THERE
    ? broken(`Nothing listens at ${url.host} (${reason}): is the gateway running there?`, reason)
    : broken(`The connection to ${url.host} failed: ${reason}.`);
}

const DEFAULT_URL = 'http://localhost:4000/graphql';

/** The gateway's endpoint: that of the command line, or else of the environment. */
export function readGatewayUrl(given: string | undefined, env: Environment): URL {
  const text = given ?? (env.RECEIVABLES_URL || DEFAULT_URL);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new UsageError(`--url takes the address of a gateway, such as ${DEFAULT_URL}`);
  url.hash = '';
  return url;
}

/** Whether others on the way can read what is sent there. */
export function isReadableByOthers({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

const MAX_WAIT_MS = 30_000;

/** How long to wait before a further attempt: twice as long after each that failed, and never two commands in step. */
export function waitAfter(failures: number, firstWaitMs: number): number {
  return jittered(Math.min(firstWaitMs * 2 ** (failures - 1), MAX_WAIT_MS), 0.75, 1.25);
}
