import { setTimeout } from 'node:timers/promises';
import { type Environment, surroundingsOf } from '../config/index.ts';
import { anyText } from '../config/parse.ts';
import { SettingReader } from '../config/setting.ts';
import { credentialsOf } from '../request/credentials.ts';
import { CommandFailure, wrongInput } from './failure.ts';
import { askSecret, type Terminal } from './terminal.ts';

const TOKEN = { name: 'RECEIVABLES_TOKEN', parse: anyText, secret: true, help: 'the bearer token' };

/** The bearer token of the environment; else the one that is typed. No message quotes it. */
export async function readToken(
  env: Environment,
  host: string,
  terminal: Terminal | undefined,
): Promise<string> {
  const reader = new SettingReader(env, surroundingsOf([]));
  const given = reader.value(TOKEN);
  if (reader.faults.length > 0) throw wrongInput(reader.faults.join(' '));
  const question = `Bearer token for ${host} (not shown): `;
  const token = given ?? (terminal && (await askSecret(question, terminal)));
  if (!token)
    throw wrongInput(
      'There is no token: set RECEIVABLES_TOKEN, or RECEIVABLES_TOKEN_FILE to a file that holds it.',
    );
  if (credentialsOf({ authorization: `Bearer ${token}` }).bearer === undefined)
    throw wrongInput(
      'The token contains a character that is not allowed: give it alone, in one line and without `Bearer`.',
    );
  return token;
}

/** How long another token may take to come into its file, and how often it is looked at. */
const MAX_WAIT_MS = 60_000;
const INTERVAL_MS = 1_000;

/** Where the token comes from, and perhaps another one when it is refused. */
export type TokenSource = Awaited<ReturnType<typeof openTokenSource>>;

export async function openTokenSource(env: Environment, host: string, terminal: Terminal | undefined) {
  const { RECEIVABLES_TOKEN: given, RECEIVABLES_TOKEN_FILE: file } = env;
  const source = {
    token: await readToken(env, host, terminal),

    /** Whether there is another one now: typed anew, or found in the file, which is waited for. */
    async renew(signal: AbortSignal, onWait: (path: string) => void): Promise<boolean> {
      if (given) return false;
      const giveUpAt = performance.now() + MAX_WAIT_MS;
      for (let isFirst = true; ; isFirst = false) {
        const token = await readToken(env, host, terminal).catch(whileUnreadable);
        if (token !== undefined && (token !== source.token || !file)) {
          source.token = token;
          return true;
        }
        if (isFirst && file) onWait(file);
        if (signal.aborted || performance.now() > giveUpAt) return false;
        await setTimeout(INTERVAL_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
  return source;
}

/** Undefined while a file is not there, or only half written. */
function whileUnreadable(error: unknown): undefined {
  if (!(error instanceof CommandFailure)) throw error;
}
