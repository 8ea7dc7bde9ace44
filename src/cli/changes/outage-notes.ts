import type { CommandFailure } from '../failure.ts';
import { Notes, type TextOutput } from '../terminal.ts';

/** Behind the moment for which the gateway announces its next attempt; no notice until then, and it has succeeded. */
const GRACE_MS = 60_000;

/** Says on the error output what is wrong with the stream: each reason once in an outage, however long that is. */
export class OutageNotes extends Notes {
  /** Takes the token out of a text, and makes it a sentence. */
  readonly #sentenceOf: (text: string) => string;
  readonly #disconnected = new Set<string>();
  readonly #unreadable = new Set<string>();
  #unreadableUntil = 0;
  #hasConnected = false;

  constructor(output: TextOutput, isQuiet: boolean, sentenceOf: (text: string) => string) {
    super(output, isQuiet);
    this.#sentenceOf = sentenceOf;
  }

  override say(text: string): void {
    super.say(this.#sentenceOf(text));
  }

  connected(): void {
    if (!this.#hasConnected) this.note('Connected: each change is a line.');
    else if (this.#disconnected.size > 0) this.note('Connected again.');
    this.#hasConnected = true;
    this.#disconnected.clear();
  }

  disconnected(failure: CommandFailure): void {
    this.#noteOnce(this.#disconnected, failure, 'Connects again.');
  }

  /** The service behind the gateway cannot be read; the gateway tries again by itself. */
  unreadable(failure: CommandFailure): void {
    const now = performance.now();
    if (now > this.#unreadableUntil) this.#unreadable.clear();
    this.#unreadableUntil = now + failure.retryAfterMs + GRACE_MS;
    this.#noteOnce(this.#unreadable, failure, 'The gateway tries again.');
  }

  readable(): void {
    this.#unreadable.clear();
  }

  untold(failure: CommandFailure): void {
    this.say(`A change is left out, since its record cannot be read: ${failure.message}`);
  }

  #noteOnce(reasons: Set<string>, { code, message }: CommandFailure, whatFollows: string): void {
    const reason = code ?? message;
    if (reasons.has(reason)) return;
    reasons.add(reason);
    this.note(`${this.#sentenceOf(message)} ${whatFollows}`);
  }
}
