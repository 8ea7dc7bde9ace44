import { createHash } from 'node:crypto';
import { type Dispatcher, fetch } from 'undici';
import type { Environment } from '../config/index.ts';
import { jittered } from '../limits/jitter.ts';
import { version } from '../version.ts';
import { CommandFailure, failureOfResponse, UsageError } from './failure.ts';

/** A document is checked before it is sent. */
export const BY_THIS_SCHEMA = `The schema is that of version ${version}: the gateway's should be the same.`;

export interface SentOperation {
  readonly query: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly operationName?: string | undefined;
}

/** Where operations are sent, and until when. */
export interface GatewayTarget {
  readonly url: URL;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

interface GatewayRequest extends GatewayTarget {
  readonly operation: SentOperation;
  readonly token: string;
  /** The media type of the answer, besides that of errors. */
  readonly type: string;
  /** What a gateway does that answers so. */
  readonly does: string;
}

const JSON_TYPES = 'application/graphql-response+json, application/json';
/** More of an error is not looked at. */
const MAX_ERROR_CHARACTERS = 100_000;

/** Sends an operation, and returns the body of an answer of that type; throws CommandFailure for any other answer. */
export async function sendOperation(request: GatewayRequest): Promise<AsyncIterable<Uint8Array>> {
  const { url, operation, token, type: wanted, does, dispatcher, signal } = request;
  // A gateway that runs only trusted documents knows them by their hash.
  const hash = createHash('sha256').update(operation.query).digest('hex');
  const { status, headers, body } = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: `${wanted}, ${JSON_TYPES}`,
    },
    body: JSON.stringify({ ...operation, documentId: `sha256:${hash}` }),
    // A redirect would turn the request into a GET, or take the token elsewhere.
    redirect: 'manual',
    dispatcher,
    signal,
  });
  const type = headers.get('content-type') ?? 'no type';
  if (status === 200 && body && type.startsWith(wanted)) return body;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location)
    throw new CommandFailure(`The address redirects to ${location}: give that one as --url.`);
  const text = await textOf(body);
  if (status === 200 && !type.includes('json'))
    throw new CommandFailure(`This is not the endpoint of a gateway that ${does}: it answered with ${type}.`);
  throw failureOfResponse(status, headers.get('retry-after'), text);
}

async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.length > MAX_ERROR_CHARACTERS) break;
  }
  return text;
}

/** What is wrong with the answer may be right at another time. */
export function broken(message: string, code?: string): CommandFailure {
  return new CommandFailure(message, { code, isTransient: true });
}

/** The code of a port at which nothing listens. Where nothing ever has, the address is wrong, and no wait helps. */
export const NOBODY_THERE = 'ECONNREFUSED';

/** What TLS makes of an answer in plain HTTP. */
const NOT_TLS = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'];

/** Of undici, whose errors have what happened as their cause. Whoever interrupts the command knows why. */
export function connectionFailure(error: unknown, { url, signal }: GatewayTarget): unknown {
  if (signal.aborted || error instanceof CommandFailure || !(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const reason = String('code' in cause ? cause.code : cause.message);
  if (NOT_TLS.includes(reason))
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

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

/** How long to wait before a further attempt: twice as long after each that failed, and never two commands in step. */
export function waitAfter(failures: number, firstWaitMs = FIRST_WAIT_MS): number {
  return jittered(Math.min(firstWaitMs * 2 ** (failures - 1), MAX_WAIT_MS), 0.75, 1.25);
}
