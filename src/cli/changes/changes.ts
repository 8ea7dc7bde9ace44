import { Agent } from 'undici';
import type { Environment } from '../../config/index.ts';
import type { CommandOptions } from '../arguments.ts';
import { type CommandContext, isBrokenPipe, refuseIfClosed, terminalOf, writeText } from '../context.ts';
import { CommandFailure, reasonOf, sentenceWithout } from '../failure.ts';
import { isReadableByOthers, readGatewayUrl } from '../gateway-request.ts';
import { openTokenSource } from '../token.ts';
import { followChanges } from './follow-changes.ts';
import { createOutageNotes } from './outage-notes.ts';
import { changesQuery } from './query.ts';
import { openStateFile } from './state-file.ts';

/** The gateway sends a byte every 12 s at least: after this, the connection is dead. */
const SILENCE_MS = 40_000;
/** The gateway reads each list once before it answers. */
const BASELINE_MS = 120_000;

/** Prints changes as they happen, until it is stopped, and returns the exit status. */
export async function runChanges(
  options: CommandOptions<'changes'>,
  context: CommandContext,
  interruption: AbortController,
): Promise<number> {
  const { env, stdout, stderr } = context;
  const { administration, kinds, quiet } = options;
  const query = changesQuery(kinds, options.fields);
  // Each write is told of its own error; and it goes on where nobody can be told of anything.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  const url = readGatewayUrl(options.url, env);
  refuseIfClosed(stdout, 'changes');
  const { signal } = interruption;
  const state =
    options.state === undefined
      ? undefined
      : openStateFile(options.state, { administration, kinds }, () => interruption.abort());
  // Last, so that nobody types a token for a command that then lacks something else.
  const tokens = await openTokenSource(env, url.host, terminalOf(context));

  signal.onabort = null;
  const notes = createOutageNotes(stderr, quiet, (text) => sentenceWithout(tokens.token, text));
  if (state?.start) notes.note(`Goes on after the last change of ${options.state}.`);
  if (isReadableByOthers(url))
    notes.note('The token and the changes travel unencrypted: use https:// where you can.');
  const after = state?.start ?? options.after;
  const dispatcher = new Agent({ headersTimeout: BASELINE_MS, bodyTimeout: SILENCE_MS });
  try {
    if (after !== undefined) state?.unread.add(after);
    await state?.lock();
    await followChanges(
      { url, query, administration, kinds, dispatcher, signal },
      {
        tokens,
        notes,
        start: { after, since: options.since },
        write(line) {
          const text = `${JSON.stringify(line)}\n`;
          state?.unread.wrote(text);
          return writeText(stdout, text);
        },
        onCursor: (cursor) => state?.note(cursor),
      },
    );
    await state?.close();
    return 0;
  } catch (error) {
    // A reader such as `head` closes the pipe when it has enough, and needs no words.
    const isReaderGone = isBrokenPipe(error);
    // Where the state itself is the reason, there is no more to say of it.
    await state?.close({ isReaderGone }).catch(() => {});
    if (isReaderGone) return 0;
    notes.say(`${reasonOf(error)}${adviceOn(error, options, env)}`);
    return error instanceof CommandFailure ? error.status : 1;
  } finally {
    await dispatcher.destroy();
  }
}

/** What the command line can do about it, where the gateway cannot know. */
function adviceOn(error: unknown, { state }: CommandOptions<'changes'>, env: Environment): string {
  const code = error instanceof CommandFailure ? error.code : undefined;
  if (code === 'CHANGES_EXPIRED' && state !== undefined)
    return ` Delete ${state}, start again, and then read everything anew.`;
  if (code === 'UNAUTHENTICATED' && env.RECEIVABLES_TOKEN)
    return ' A token in the file that RECEIVABLES_TOKEN_FILE names can be replaced while this command runs.';
  return '';
}
