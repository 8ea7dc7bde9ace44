import { Agent } from 'undici';
import { onTestFinished } from 'vitest';
import {
  type ChangeLine,
  followChanges,
  type StreamPosition,
} from '../../../src/cli/changes/follow-changes.ts';
import { createOutageNotes } from '../../../src/cli/changes/outage-notes.ts';
import { sentenceWithout } from '../../../src/cli/failure.ts';
import { openTokenSource } from '../../../src/cli/token.ts';

export interface FollowedOptions {
  readonly start?: StreamPosition;
  readonly env?: Record<string, string>;
  readonly query?: string;
  /** After so much silence a connection is dead. */
  readonly silenceMs?: number;
  readonly firstWaitMs?: number;
  readonly write?: (line: ChangeLine) => Promise<unknown>;
}

export interface Followed {
  readonly lines: ChangeLine[];
  readonly cursors: string[];
  /** What was said on the error output. */
  readonly said: string[];
  /** Settled when it has ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Follows the changes of a gateway, with hardly a wait between streams, until the test is over. */
export async function follow(url: URL, options: FollowedOptions = {}): Promise<Followed> {
  const {
    start = {},
    env = { RECEIVABLES_TOKEN: 'a-token' },
    silenceMs = 0,
    query = '',
    firstWaitMs = 0.1,
  } = options;
  const interruption = new AbortController();
  const dispatcher = new Agent({ bodyTimeout: silenceMs });
  const tokens = await openTokenSource(env, url.host, undefined);
  const lines: ChangeLine[] = [];
  const cursors: string[] = [];
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text.trimEnd()) };
  const { signal } = interruption;
  const ended = followChanges(
    { url, query, administration: '1001', kinds: undefined, dispatcher, signal },
    {
      tokens,
      start,
      notes: createOutageNotes(output, false, (text) => sentenceWithout(tokens.token, text)),
      async write(line) {
        await options.write?.(line);
        lines.push(line);
      },
      onCursor(cursor) {
        cursors.push(cursor);
        return undefined;
      },
      firstWaitMs,
    },
  );
  // Whoever does not wait for the end is not told of its failure.
  ended.catch(() => {});
  const stop = () => {
    interruption.abort();
    return ended;
  };
  onTestFinished(async () => {
    interruption.abort();
    await dispatcher.destroy();
  });
  return { lines, cursors, said, ended, stop };
}
