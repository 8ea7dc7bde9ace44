import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { ConfigError, type Environment } from '../config/index.ts';
import { readGiven } from '../config/setting.ts';
import { jittered } from '../limits/jitter.ts';
import { credentialsOf } from '../request/credentials.ts';
import { version } from '../version.ts';
import { ask, type CommandContext, INTERRUPTED, type Output } from './context.ts';
import { broken, CommandFailure, failureOfResponse, UsageError, wrongInput } from './failure.ts';
import { sentenceOf, withoutControlCharacters } from './text.ts';

/** A document is checked before it is sent. */
export const BY_THIS_SCHEMA = `The schema is that of version ${version}: the gateway's should be the same.`;

export interface SentOperation {
  readonly query: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly operationName?: string | undefined;
}

const JSON_TYPES = 'application/graphql-response+json, application/json';
const MAX_WAIT_MS = 30_000;
/** A gateway may ask for as much as this. */
const MAX_RETRY_AFTER_MS = 300_000;
/** How many seconds another token may take to come into its file. */
const MAX_TOKEN_WAIT_S = 60;
/** The code of a port at which nothing listens. Where nothing ever has, the address is wrong, and no wait helps. */
const NOBODY_THERE = 'ECONNREFUSED';

export type GatewayClient = Awaited<ReturnType<typeof openGateway>>;

/** Opened last, so that nobody types a token for a command that then lacks something else. Signals end it from now on. */
export async function openGateway(
  url: URL,
  isQuiet: boolean,
  timeouts: Agent.Options,
  context: CommandContext,
) {
  const { stderr, firstWaitMs, env, exit } = context;
  // It goes on where nobody can be told of anything.
  stderr.on('error', () => {});
  let token = await readToken(url, context);
  const notes = createNotes(stderr, isQuiet, () => token);
  const dispatcher = new Agent(timeouts);
  /** The first signal to stop aborts; a second one ends the process at once. */
  const interruption = new AbortController();
  const { signal } = interruption;
  context.onSignal(() => (signal.aborted ? exit(INTERRUPTED) : interruption.abort()));
  if (isReadableByOthers(url))
    notes.note('The token and all that it reads travel unencrypted: use https:// where you can.');

  /** Whoever interrupts the command knows why a connection fails. */
  function fail(error: unknown): never {
    throw signal.aborted ? error : connectionFailure(error, url);
  }

  async function* watched(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      fail(error);
    }
  }

  /** Whether there is another token now: typed anew, or found in the file, which is waited for. */
  async function renewToken(): Promise<boolean> {
    const { RECEIVABLES_TOKEN: given, RECEIVABLES_TOKEN_FILE: file } = env;
    const refused = token;
    if (file) notes.note(`The token is refused: waits up to a minute for another one in ${file}.`);
    for (let tries = given ? 0 : file ? MAX_TOKEN_WAIT_S : 1; tries > 0; tries -= 1) {
      // It is the same while the file is not there, or only half written.
      token = await readToken(url, context).catch(() => refused);
      if (token !== refused) return true;
      await setTimeout(1_000, undefined, { signal });
    }
    return false;
  }

  return {
    signal,
    notes,
    close: () => dispatcher.destroy(),

    /** Sends an operation, and returns the body of an answer of that type; throws CommandFailure for any other. */
    async send(operation: SentOperation, type: string, to = url): Promise<AsyncIterable<Uint8Array>> {
      // A gateway that runs only trusted documents knows them by their hash.
      const hash = createHash('sha256').update(operation.query).digest('hex');
      const accept = `${type}, ${JSON_TYPES}`;
      const response = await fetch(to, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
        body: JSON.stringify({ ...operation, documentId: `sha256:${hash}` }),
        // A redirect would turn the request into a GET, or take the token elsewhere.
        redirect: 'manual',
        dispatcher,
        signal,
      }).catch(fail);
      const { status, headers, body } = response;
      const given = headers.get('content-type') ?? 'no type';
      if (status === 200 && body && given.startsWith(type)) return watched(body);
      const location = headers.get('location');
      if (status >= 300 && status < 400 && location)
        throw new CommandFailure(`The address redirects to ${location}: give that one as --url.`);
      const text = await response.text().catch(fail);
      if (status === 200 && !given.includes('json'))
        throw new CommandFailure(`This is not the endpoint of such a gateway: it answered with ${given}.`);
      throw failureOfResponse(status, headers.get('retry-after'), text);
    },

    /**
     * Attempts something again until it succeeds, if what it fails for is over after a while: so many times in a row, of
     * which none has come further.
     */
    async retry(
      attempt: (comesFurther: () => void) => Promise<void>,
      { maxAttempts = Infinity, isKnown = false } = {},
    ): Promise<void> {
      for (let failures = 0; ; ) {
        try {
          return await attempt(() => {
            failures = 0;
            notes.recovered();
          });
        } catch (error) {
          if (signal.aborted || !(error instanceof CommandFailure)) throw error;
          const { code, isTransient, retryAfterMs } = error;
          if (failures === 0 && !isKnown && code === NOBODY_THERE) throw error;
          failures += 1;
          if (code === 'UNAUTHENTICATED' && (await renewToken())) continue;
          const isTooLong = retryAfterMs > MAX_RETRY_AFTER_MS && maxAttempts < Infinity;
          if (!isTransient || isTooLong || failures >= maxAttempts) throw error;
          // Twice as long after each that failed, and never two commands in step.
          const pauseMs = jittered(Math.min(firstWaitMs * 2 ** (failures - 1), MAX_WAIT_MS), 0.75, 1.25);
          const waitMs = Math.min(Math.max(pauseMs, retryAfterMs), MAX_RETRY_AFTER_MS);
          notes.once(error, `Tries again in ${Math.ceil(waitMs / 1_000)} s.`);
          await setTimeout(waitMs, undefined, { signal });
        }
      }
    },
  };
}

/** Of undici, whose errors have what happened as their cause. */
function connectionFailure(error: unknown, { host }: URL): unknown {
  if (error instanceof CommandFailure || !(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const reason = String('code' in cause ? cause.code : cause.message);
  // What TLS makes of an answer in plain HTTP.
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(reason))
    return new CommandFailure(`${host} speaks http, not https: begin --url with http://.`);
  return reason === NOBODY_THERE
    ? broken(`Nothing listens at ${host} (${reason}): is the gateway running there?`, reason)
    : broken(`The connection to ${host} failed: ${reason}.`);
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

const NO_TOKEN =
  'There is no token: set RECEIVABLES_TOKEN, or RECEIVABLES_TOKEN_FILE to a file that holds it.';
const NOT_A_TOKEN =
  'The token contains a character that is not allowed: give it alone, in one line and without `Bearer`.';

/** The bearer token of the environment; else the one that is typed. No message quotes it. */
async function readToken({ host }: URL, context: CommandContext): Promise<string> {
  const token = tokenIn(context) ?? (await ask(`Bearer token for ${host} (not shown): `, context, true));
  if (token === '') throw wrongInput(NO_TOKEN);
  if (!isToken(token)) throw wrongInput(NOT_A_TOKEN);
  return token;
}

function tokenIn({ env }: CommandContext): string | undefined {
  try {
    return readGiven(env, { name: 'RECEIVABLES_TOKEN', secret: true });
  } catch (error) {
    throw error instanceof ConfigError ? wrongInput(error.faults.join(' ')) : error;
  }
}

/** Whether it can be sent as one. */
export function isToken(text: string): boolean {
  return credentialsOf({ authorization: `Bearer ${text}` }).bearer !== undefined;
}

/** Tells on the error output how a command gets on with its gateway, and never the token. */
function createNotes(output: Output, isQuiet: boolean, token: () => string) {
  const erase = output.isTTY ? '\r\x1b[2K' : '';
  /** What this outage was told to come from. */
  const reasons = new Set<string>();
  /** Even where nothing else is to be told. */
  const say = (text: string) => {
    const shown = withoutControlCharacters(sentenceOf(text.replaceAll(token(), '***')));
    output.write(`${isQuiet ? '' : erase}${shown}\n`);
  };
  const note = isQuiet ? () => {} : say;
  return {
    say,
    note,
    /** Each reason once in an outage. */
    once({ code, message }: CommandFailure, whatFollows: string): void {
      const reason = code ?? message;
      if (!reasons.has(reason)) note(`${sentenceOf(message)} ${whatFollows}`);
      reasons.add(reason);
    },
    /** The outage is over. */
    recovered: () => reasons.clear(),
    /** At a terminal, a line that the next one overwrites. The width is read each time, since it can be resized. */
    progress: (text: string) =>
      output.write(erase ? `${erase}${text.slice(0, (output.columns ?? 80) - 1)}` : `${text}\n`),
  };
}
