import type { RestSession } from '../rest/session.ts';
import { cachedIntrospection } from '../rest/viewer.ts';

/** The assumed length of join keys before any was observed: longer than a UUID in a URL. */
const DEFAULT_KEY_LENGTH = 64;
/** Rounds up by a few characters, since the ids of a service have about the same length or are sequential numbers. */
const KEY_LENGTH_STEP = 8;
/** The assumed number of administrations that a token can access before it was introspected. */
const DEFAULT_ADMINISTRATIONS = 5;

/** The longest join key observed, over all callers: it determines how many keys fit into one URL. */
export class JoinKeyLengths {
  #longest = 0;

  get assumedLength(): number {
    if (this.#longest === 0) return DEFAULT_KEY_LENGTH;
    return Math.ceil((this.#longest + 1) / KEY_LENGTH_STEP) * KEY_LENGTH_STEP;
  }

  observe(length: number): void {
    if (length > this.#longest) this.#longest = length;
  }
}

/**
 * What the estimate of an operation assumes about records that were not read yet. Execution fails where an assumption
 * does not hold, so that an operation never makes more calls than estimated; the next estimate uses the observed value.
 */
export class Assumptions {
  /** The maximum length of a join key in a URL. */
  readonly joinKeyLength: number;
  readonly #session: RestSession;
  #administrations: number | undefined;

  constructor(lengths: JoinKeyLengths, session: RestSession) {
    this.joinKeyLength = lengths.assumedLength;
    this.#session = session;
  }

  /** The maximum number of administrations that the caller's token can access. */
  get administrations(): number {
    if (this.#administrations === undefined) {
      const { administrations } = cachedIntrospection(this.#session) ?? {};
      this.#administrations = Array.isArray(administrations)
        ? administrations.length
        : DEFAULT_ADMINISTRATIONS;
    }
    return this.#administrations;
  }

  /** The same if the estimate used it, else undefined. */
  get usedAdministrations(): number | undefined {
    return this.#administrations;
  }
}
