import { existsSync } from 'node:fs';
import type { Environment } from '../../config/index.ts';
import type { CommandOptions } from '../arguments.ts';
import { type CommandContext, isBrokenPipe, writeText } from '../context.ts';
import { CommandFailure, reasonOf, wrongInput } from '../failure.ts';
import { readGatewayUrl } from '../gateway-request.ts';
import { openGateway } from '../gateway-session.ts';
import { readProgress, saveProgress } from '../progress-file.ts';
import { followChanges } from './follow-changes.ts';
import { changesQuery } from './query.ts';

type ChangesOptions = CommandOptions<'changes'>;

/** The gateway reads each list once before it answers. Then it sends a byte every 12 s at least. */
const TIMEOUTS = { headersTimeout: 120_000, bodyTimeout: 40_000 };

/** Prints changes as they happen, until it is stopped, and returns the exit status. */
export async function runChanges(options: ChangesOptions, context: CommandContext): Promise<number> {
  const { env, stdout } = context;
  const { administration, kinds, since } = options;
  const query = changesQuery(kinds, options.fields);
  const url = readGatewayUrl(options.url, env);
  const state = options.state === undefined ? undefined : openStateFile(options.state, options);
  // Each write is told of its own error.
  stdout.on('error', () => {});
  const gateway = await openGateway(url, options.quiet, TIMEOUTS, context);
  const { notes, dispatcher } = gateway;
  if (state?.start) notes.note(`Goes on after the last change of ${options.state}.`);
  const after = state?.start ?? options.after;
  let written = 0;
  try {
    // A file that cannot be written is told before anything is asked for.
    state?.save(after, written);
    await followChanges(gateway, {
      query,
      variables: { administrationId: administration, kinds },
      start: after === undefined ? { since } : { after },
      async write(line) {
        const text = `${JSON.stringify(line)}\n`;
        await writeText(stdout, text);
        written += text.length;
      },
      onCursor: (cursor) => state?.save(cursor, written),
    });
    return 0;
  } catch (error) {
    // A reader such as `head` closes the pipe when it has enough, and needs no words.
    if (isBrokenPipe(error)) {
      state?.readerGone();
      return 0;
    }
    notes.say(`${reasonOf(error)}${adviceOn(error, options, env)}`);
    return error instanceof CommandFailure ? error.status : 1;
  } finally {
    await dispatcher.destroy();
  }
}

/** What the command line can do about it, where the gateway cannot know. */
function adviceOn(error: unknown, { state }: ChangesOptions, env: Environment): string {
  const code = error instanceof CommandFailure ? error.code : undefined;
  if (code === 'CHANGES_EXPIRED' && state !== undefined)
    return ` Delete ${state}, start again, and then read everything anew.`;
  if (code === 'UNAUTHENTICATED' && env.RECEIVABLES_TOKEN)
    return ' A token in the file that RECEIVABLES_TOKEN_FILE names can be replaced while this command runs.';
  return '';
}

const COMMAND = 'receivables-graphql changes';
/** More than a pipe holds (64 kB) and its reader has taken without having looked at it. */
const UNREAD_CHARACTERS = 256_000;

/** The file that says how far the changes have been written. Throws if it is of other changes, or of something else. */
function openStateFile(path: string, { administration, kinds }: ChangesOptions) {
  const state = existsSync(path) ? (readProgress(path) ?? {}) : { command: COMMAND, administration, kinds };
  if (state.command !== COMMAND || !['string', 'undefined'].includes(typeof state.after))
    throw wrongInput(
      `${path} is broken, or is no state of this command: give another file, or delete it to start anew.`,
    );
  const [found, wanted] = [state, { administration, kinds }].map(nameOf);
  if (found !== wanted)
    throw wrongInput(`${path} is of ${found}, not ${wanted}: give each a --state of its own.`);

  const start = typeof state.after === 'string' ? state.after : undefined;
  const write = (after: string | undefined) =>
    saveProgress(path, { command: COMMAND, administration, kinds, after });
  /** Behind these, so much was written that whoever reads has surely read what stands before the first. */
  let [read, unread, unreadFrom]: [string | undefined, string | undefined, number] = [start, start, 0];
  return {
    /** Where an earlier process has come to; undefined if there was none, or if it has seen nothing. */
    start,

    /** All up to a cursor is written, and that many characters in all. Undefined before the first. */
    save(cursor: string | undefined, written: number): void {
      write(cursor);
      if (written === 0) [read, unread] = [cursor, cursor];
      else if (written - unreadFrom >= UNREAD_CHARACTERS)
        [read, unread, unreadFrom] = [unread, cursor, written];
    },

    /** Goes back to where a reader has surely read that is gone. */
    readerGone: () => write(read),
  };
}

function nameOf(state: { readonly administration?: unknown; readonly kinds?: unknown }): string {
  const kinds = Array.isArray(state.kinds) ? state.kinds.join(',') : 'ALL';
  return `administration ${state.administration} and the kinds ${kinds}`;
}
