import { setTimeout } from 'node:timers/promises';
import type { Environment } from '../../config/index.ts';
import { CommandFailure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { readToken } from '../token.ts';

/** How long another token may take to come into its file, and how often it is looked at. */
const MAX_WAIT_MS = 60_000;
const INTERVAL_MS = 1_000;

/** Where the token comes from, and perhaps another one when it is refused. */
export class TokenSource {
  readonly #env: Environment;
  readonly #host: string;
  readonly #terminal: Terminal | undefined;
  token: string;

  private constructor(env: Environment, host: string, terminal: Terminal | undefined, token: string) {
    this.#env = env;
    this.#host = host;
    this.#terminal = terminal;
    this.token = token;
  }

  static async open(env: Environment, host: string, terminal: Terminal | undefined): Promise<TokenSource> {
    return new TokenSource(env, host, terminal, await readToken(env, host, terminal));
  }

  /** Whether there is another one now: typed anew, or found in the file, which is waited for. */
  async renew(signal: AbortSignal, onWait: (path: string) => void): Promise<boolean> {
    if (this.#env.RECEIVABLES_TOKEN) return false;
    const { RECEIVABLES_TOKEN_FILE: file } = this.#env;
    const giveUpAt = performance.now() + MAX_WAIT_MS;
    for (let isFirst = true; ; isFirst = false) {
      const token = await this.#read();
      if (token !== undefined && (token !== this.token || !file)) {
        this.token = token;
        return true;
      }
      if (isFirst && file) onWait(file);
      if (signal.aborted || performance.now() > giveUpAt) return false;
      await setTimeout(INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Undefined while a file is not there, or only half written. */
  async #read(): Promise<string | undefined> {
    try {
      return await readToken(this.#env, this.#host, this.#terminal);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      return undefined;
    }
  }
}
