import type { CommandFailure } from '../failure.ts';
import { type TextOutput, writeNote } from '../terminal.ts';

/** Behind the moment for which the gateway announces its next attempt; no notice until then, and it has succeeded. */
const GRACE_MS = 60_000;

export type OutageNotes = ReturnType<typeof createOutageNotes>;

/**
 * Says on the error output what is wrong with the stream: each reason once in an outage, however long that is.
 * `sentenceOf` takes the token out of a text, and makes it a sentence.
 */
export function createOutageNotes(
  output: TextOutput,
  isQuiet: boolean,
  sentenceOf: (text: string) => string,
) {
  const disconnections = new Set<string>();
  const unreadable = new Set<string>();
  let unreadableUntil = 0;
  let hasConnected = false;

  const say = (text: string) => writeNote(output, sentenceOf(text));
  const note = (text: string) => {
    if (!isQuiet) say(text);
  };
  const noteOnce = (reasons: Set<string>, { code, message }: CommandFailure, whatFollows: string) => {
    const reason = code ?? message;
    if (!reasons.has(reason)) note(`${sentenceOf(message)} ${whatFollows}`);
    reasons.add(reason);
  };

  return {
    /** Even where nothing else is to be told. */
    say,
    note,

    connected(): void {
      if (!hasConnected) note('Connected: each change is a line.');
      else if (disconnections.size > 0) note('Connected again.');
      hasConnected = true;
      disconnections.clear();
    },

    disconnected: (failure: CommandFailure) => noteOnce(disconnections, failure, 'Connects again.'),

    /** The service behind the gateway cannot be read; the gateway tries again by itself. */
    unreadable(failure: CommandFailure): void {
      const now = performance.now();
      if (now > unreadableUntil) unreadable.clear();
      unreadableUntil = now + failure.retryAfterMs + GRACE_MS;
      noteOnce(unreadable, failure, 'The gateway tries again.');
    },

    readable: () => unreadable.clear(),

    untold: ({ message }: CommandFailure) =>
      say(`A change is left out, since its record cannot be read: ${message}`),
  };
}
