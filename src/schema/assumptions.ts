import type { RestSession } from '../rest/session.ts';
import { cachedIntrospection } from '../rest/viewer.ts';

/** Taken for the length of ids that joins look up until one was seen: longer than a UUID, in a URL. */
const UNSEEN_KEY_LENGTH = 64;
/** Ids of one service are mostly of one length, or counted up: a few characters more than were seen. */
const KEY_LENGTH_STEP = 8;
/** Taken for how many administrations a token reaches until it was introspected. */
const UNSEEN_ADMINISTRATIONS = 5;

/** The lengths of ids that joins have looked up, for all callers: they tell how many fit into one URL. */
export class JoinKeyLengths {
  #longest = 0;

  get assumed(): number {
    if (this.#longest === 0) return UNSEEN_KEY_LENGTH;
    return Math.ceil((this.#longest + 1) / KEY_LENGTH_STEP) * KEY_LENGTH_STEP;
  }

  learn(length: number): void {
    if (length > this.#longest) this.#longest = length;
  }
}

/**
 * What the estimate of an operation takes for granted about records that it has not read yet. Execution is held to it,
 * so that an operation never makes more calls than were estimated: what does not fit fails, and is known the next time.
 */
export class Assumptions {
  /** Bytes of an id in a URL, at most. */
  readonly joinKeyLength: number;
  readonly #session: RestSession;
  #administrations: number | undefined;

  constructor(lengths: JoinKeyLengths, session: RestSession) {
    this.joinKeyLength = lengths.assumed;
    this.#session = session;
  }

  /** How many administrations the caller's token reaches, at most. */
  get administrations(): number {
    if (this.#administrations === undefined) {
      const { administrations } = cachedIntrospection(this.#session) ?? {};
      this.#administrations = Array.isArray(administrations)
        ? administrations.length
        : UNSEEN_ADMINISTRATIONS;
    }
    return this.#administrations;
  }

  /** The same where the estimate depends on it. */
  get usedAdministrations(): number | undefined {
    return this.#administrations;
  }
}
