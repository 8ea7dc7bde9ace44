import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Agent, fetch, type Headers } from 'undici';
import { type Environment, readSetting } from '../config/setting.ts';
import { JSON_TYPE } from '../http/negotiation.ts';
import { jittered } from '../jitter.ts';
import { version } from '../package.ts';
import { readCredentials } from '../request/credentials.ts';
import { readRetryAfter } from '../rest/client/error-response.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { CommandFailure, inputError, UsageError } from './failure.ts';
import { type CommandContext, createNotes, INTERRUPTED, prompt, toSentence } from './terminal.ts';

export const BY_THIS_SCHEMA = `The schema is that of version ${version}: the gateway's should be the same.`;

export interface SentOperation {
  readonly query: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly operationName?: string | undefined;
  /** The id of a trusted document, if that is not the SHA-256 of the query. */
  readonly documentId?: string;
}

/** Earlier gateways would ignore the header and execute the operation, but they reject this media type. */
const ESTIMATE_HEADERS = { accept: 'application/estimate+json', 'x-explain': 'estimate' };
const TOO_OLD = 'The gateway does not support estimates, so nothing was run. Update it.';

const MAX_BACKOFF_MS = 30_000;
const MAX_RETRY_AFTER_MS = 300_000;

/** Temporary errors: the gateway's codes, and statuses of a proxy in front of it. */
const TRANSIENT =
  /^(UPSTREAM_UNAVAILABLE|UPSTREAM_TIMEOUT|RATE_LIMITED|OVERLOADED|SERVER_STOPPING|SLOW_CONSUMER|429|502|503|504)$/;

export type GatewayClient = Awaited<ReturnType<typeof openGateway>>;

interface GatewayClientOptions {
  readonly isQuiet: boolean;
  readonly timeouts: Agent.Options;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many seconds to wait for another token in its file. */
  readonly maxTokenWaitS?: number;
  /** A failure that asks for a longer pause before the next attempt is final. */
  readonly maxPauseMs?: number;
}

/** Call this after all other checks, since it may ask for a token. From then on, a signal ends the command. */
export async function openGateway(url: URL, options: GatewayClientOptions, context: CommandContext) {
  const { isQuiet, timeouts, headers, maxTokenWaitS = 60, maxPauseMs = Number.POSITIVE_INFINITY } = options;
  const { stdout, stderr, firstWaitMs, env, exit } = context;
  // Writes to standard output report their own errors. Errors of standard error are ignored.
  for (const output of [stdout, stderr]) output.on('error', () => {});
  let token = await readToken(url, context);
  const notes = createNotes(stderr, isQuiet, () => token);
  const dispatcher = new Agent(timeouts);
  /** The first signal aborts; a second one ends the process at once. */
  const interruption = new AbortController();
  const { signal } = interruption;
  context.onSignal(() => (signal.aborted ? exit(INTERRUPTED) : interruption.abort()));
  if (isReadableByOthers(url))
    notes.note('The token and all that it reads travel unencrypted: use https:// where you can.');

  /** Returns whether there is another token than the rejected one. Waits for one if the token comes from a file. */
  async function renewToken(rejected: string): Promise<boolean> {
    const { RECEIVABLES_TOKEN_FILE: file } = env;
    // Another operation has just renewed the token.
    if (token !== rejected) return true;
    if (file) notes.note(`The token was rejected. Waiting up to a minute for a new one in ${file}.`);
    for (let tries = file ? maxTokenWaitS : 0; tries > 0; tries -= 1) {
      // Keep the old token while the file is missing or half written.
      token = await readToken(url, context).catch(() => rejected);
      if (token !== rejected) return true;
      await setTimeout(1_000, undefined, { signal });
    }
    return false;
  }

  function post(operation: SentOperation, target: URL, extraHeaders: object, stopSignal?: AbortSignal) {
    // A gateway that runs only trusted documents knows them by their hash.
    const hash = createHash('sha256').update(operation.query).digest('hex');
    return fetch(target, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': JSON_TYPE, ...headers, ...extraHeaders },
      body: JSON.stringify({ documentId: `sha256:${hash}`, ...operation }),
      // A redirect would turn the request into a GET, or take the token elsewhere.
      redirect: 'manual',
      dispatcher,
      signal: stopSignal ? AbortSignal.any([signal, stopSignal]) : signal,
    });
  }

  return {
    url,
    signal,
    notes,
    close: () => dispatcher.destroy(),
    /** Returns the text without the token. */
    redact: (text: string) => text.replaceAll(token, '***'),

    /** Returns the body of a response of this type; throws CommandFailure for any other. */
    async send(operation: SentOperation, type: string, target = url) {
      const accept = `${type}, application/graphql-response+json, ${JSON_TYPE}`;
      const response = await post(operation, target, { accept });
      const { status, headers, body } = response;
      if (status === 200 && body && headers.get('content-type')?.startsWith(type)) return body;
      throw toResponseFailure(status, headers, await response.text());
    },

    /** Returns the result of an operation or an estimate, which may have errors. */
    async run(operation: SentOperation, { isEstimate = false, target = url, stopSignal = signal } = {}) {
      const extraHeaders = isEstimate ? ESTIMATE_HEADERS : { accept: JSON_TYPE };
      const response = await post(operation, target, extraHeaders, stopSignal);
      const text = await response.text();
      const { status, headers } = response;
      const result = parseJson(text);
      const isSupported = !isEstimate || headers.has('x-explain');
      if (!isSupported && [200, 406].includes(status)) throw new CommandFailure(TOO_OLD);
      if (!isSupported || !isObject(result)) throw toResponseFailure(status, headers, text);
      return { result, bytes: Buffer.byteLength(text) };
    },

    /** Yields what attempts yield. Retries temporary errors, up to `maxAttempts` in a row without an item. */
    async *retry<Item>(
      attempt: (failures: number) => AsyncIterable<Item>,
      maxAttempts = Number.POSITIVE_INFINITY,
    ) {
      for (let failures = 0; ; ) {
        const attemptToken = token;
        try {
          for await (const item of attempt(failures)) {
            failures = 0;
            yield item;
          }
          return;
        } catch (thrown) {
          const error = connectionFailure(thrown, url);
          if (signal.aborted || !(error instanceof CommandFailure)) throw error;
          failures += 1;
          if (error.code === 'UNAUTHENTICATED' && (await renewToken(attemptToken))) continue;
          const { retryAfterMs } = error;
          if (retryAfterMs === undefined || retryAfterMs > maxPauseMs || failures >= maxAttempts) throw error;
          // The delay doubles, with jitter, so that commands do not retry in step.
          const backoffMs = jittered(Math.min(firstWaitMs * 2 ** (failures - 1), MAX_BACKOFF_MS), 0.75, 1.25);
          const waitMs = Math.min(Math.max(backoffMs, retryAfterMs), MAX_RETRY_AFTER_MS);
          notes.note(`${toSentence(error.message)} Retrying in ${Math.ceil(waitMs / 1_000)} s.`);
          await setTimeout(waitMs, undefined, { signal });
        }
      }
    },
  };
}

export function retryableFailure(message: string): CommandFailure {
  return new CommandFailure(message, '', 0);
}

export function toFailure(error: { readonly [key: string]: unknown }): CommandFailure {
  const { message, code = '', retryAfter } = error;
  const text = `${message ?? 'The gateway gave no reason.'}${code === '' ? '' : ` (${code})`}`;
  const waitMs = typeof retryAfter === 'number' ? retryAfter * 1_000 : 0;
  return new CommandFailure(text, `${code}`, TRANSIENT.test(`${code}`) ? waitMs : undefined);
}

/** Returns the errors of a result with their extensions merged in, as in the last line of an export. */
export function getErrors(result: unknown): readonly { readonly [key: string]: unknown }[] {
  const errors = isObject(result) && Array.isArray(result.errors) ? result.errors.filter(isObject) : [];
  return errors.map((error) => ({ ...error, ...(isObject(error.extensions) && error.extensions) }));
}

function toResponseFailure(status: number, headers: Headers, body: string): CommandFailure {
  const retryAfter = readRetryAfter(headers.get('retry-after'));
  const [error] = getErrors(parseJson(body));
  if (isObject(error?.extensions)) return toFailure({ retryAfter, ...error });
  const [location, type = 'no type'] = [headers.get('location'), headers.get('content-type') ?? undefined];
  const message = location
    ? `The address redirects to ${location}. Pass that as --url.`
    : `The address responded with ${type}, so it is not a gateway.`;
  return toFailure({ message, code: status, retryAfter });
}

/** Converts an error of fetch, which has its reason as the cause. Returns other errors unchanged. */
function connectionFailure(error: unknown, { host }: URL): unknown {
  if (!(error instanceof TypeError && error.cause instanceof Error)) return error;
  const reason = 'code' in error.cause ? error.cause.code : error.cause.message;
  return retryableFailure(
    reason === 'ECONNREFUSED'
      ? `Nothing listens at ${host} (${reason}): is the gateway running there?`
      : `The connection to ${host} failed: ${reason}.`,
  );
}

const DEFAULT_URL = 'http://localhost:4000/graphql';

export function readGatewayUrl(option: string | undefined, env: Environment): URL {
  const text = option ?? (env.RECEIVABLES_URL || DEFAULT_URL);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new UsageError(`--url takes the address of a gateway, such as ${DEFAULT_URL}`);
  return url;
}

export function isReadableByOthers({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Reads the token from the environment, or asks for it. No message quotes the token. */
async function readToken({ host }: URL, context: CommandContext): Promise<string> {
  const configured = readSetting(context.env, { name: 'RECEIVABLES_TOKEN', secret: true });
  const question = `Bearer token for ${host} (not shown): `;
  const token = configured ?? (await prompt(question, context, { isSecret: true }));
  if (isToken(token)) return token;
  throw inputError(
    token === ''
      ? 'There is no token: set RECEIVABLES_TOKEN, or RECEIVABLES_TOKEN_FILE to a file that holds it.'
      : 'The token contains a character that is not allowed: give it alone, in one line and without `Bearer`.',
  );
}

export function isToken(text: string): boolean {
  return readCredentials({ authorization: `Bearer ${text}` }).bearer !== undefined;
}
