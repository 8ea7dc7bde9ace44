import { setTimeout } from 'node:timers/promises';
import { Agent } from 'undici';
import { ConfigError } from '../config/index.ts';
import { readGiven } from '../config/setting.ts';
import { credentialsOf } from '../request/credentials.ts';
import { type CommandContext, INTERRUPTED, type Output, terminalOf } from './context.ts';
import { CommandFailure, sentenceOf, wrongInput } from './failure.ts';
import { isReadableByOthers } from './gateway-request.ts';
import { askSecret, withoutControlCharacters } from './terminal.ts';

const NO_TOKEN =
  'There is no token: set RECEIVABLES_TOKEN, or RECEIVABLES_TOKEN_FILE to a file that holds it.';
const NOT_A_TOKEN =
  'The token contains a character that is not allowed: give it alone, in one line and without `Bearer`.';
/** How many seconds another token may take to come into its file. */
const MAX_WAIT_S = 60;

/** What a command has that asks a gateway. */
export type GatewaySession = Awaited<ReturnType<typeof openGateway>>;

/** Opened last, so that nobody types a token for a command that then lacks something else. Signals end it from now on. */
export async function openGateway(
  url: URL,
  isQuiet: boolean,
  timeouts: Agent.Options,
  context: CommandContext,
) {
  const { stderr, firstWaitMs } = context;
  const { RECEIVABLES_TOKEN: given, RECEIVABLES_TOKEN_FILE: file } = context.env;
  // It goes on where nobody can be told of anything.
  stderr.on('error', () => {});
  let token = await readToken(url, context);
  const notes = createNotes(stderr, isQuiet, () => token);
  const signal = interruptionBy(context);
  if (isReadableByOthers(url))
    notes.note('The token and all that it reads travel unencrypted: use https:// where you can.');
  return {
    url,
    notes,
    signal,
    dispatcher: new Agent(timeouts),
    firstWaitMs,
    get token() {
      return token;
    },

    /** Whether there is another token now: typed anew, or found in the file, which is waited for. */
    async renewToken(): Promise<boolean> {
      for (let seconds = 0; !given && seconds < MAX_WAIT_S && !signal.aborted; seconds += 1) {
        const found = await readToken(url, context).catch(whileUnreadable);
        if (found !== undefined && (found !== token || !file)) {
          token = found;
          return true;
        }
        if (seconds === 0)
          notes.note(`The token is refused: waits up to a minute for another one in ${file}.`);
        await setTimeout(1_000, undefined, { signal }).catch(() => {});
      }
      return false;
    },
  };
}

/** The first signal to stop aborts; a second one ends the process at once. */
function interruptionBy(context: CommandContext): AbortSignal {
  const interruption = new AbortController();
  const { signal } = interruption;
  context.onSignal(() => (signal.aborted ? context.exit(INTERRUPTED) : interruption.abort()));
  return signal;
}

/** The bearer token of the environment; else the one that is typed. No message quotes it. */
async function readToken({ host }: URL, context: CommandContext): Promise<string> {
  const given = tokenIn(context);
  const terminal = terminalOf(context);
  const token = given ?? (terminal && (await askSecret(`Bearer token for ${host} (not shown): `, terminal)));
  if (!token) throw wrongInput(NO_TOKEN);
  if (credentialsOf({ authorization: `Bearer ${token}` }).bearer === undefined) throw wrongInput(NOT_A_TOKEN);
  return token;
}

function tokenIn({ env }: CommandContext): string | undefined {
  try {
    return readGiven(env, { name: 'RECEIVABLES_TOKEN', secret: true });
  } catch (error) {
    throw error instanceof ConfigError ? wrongInput(error.faults.join(' ')) : error;
  }
}

/** Undefined while a file is not there, or only half written. */
function whileUnreadable(error: unknown): undefined {
  if (!(error instanceof CommandFailure)) throw error;
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
