import { LRUCache } from 'lru-cache';
import { MAX_VALUES, roomForValues } from '../rest/query.ts';
import type { RestSession } from '../rest/session.ts';
import { cachedIntrospection } from '../rest/viewer.ts';

/** The assumed length of join keys before enough were observed: longer than a UUID in a URL. */
const DEFAULT_KEY_LENGTH = 64;
/** Rounds up by a few characters, since the ids of a service have about the same length or are sequential numbers. */
const KEY_LENGTH_STEP = 8;
/** The assumed number of administrations that a token can access before it was introspected. */
const DEFAULT_ADMINISTRATIONS = 5;

/** A few long keys do not change an average: with fewer keys than these they would. */
const MIN_OBSERVED_KEYS = 20;
/** How much of an earlier observation a later, smaller one leaves. */
const DECAY = 0.9;
const MAX_OWNERS = 10_000;

/** The average length of the join keys of each caller: it determines how many keys fit into one URL. */
export class JoinKeyLengths {
  readonly #averages = new LRUCache<string, number>({ max: MAX_OWNERS });

  assumedLength(owner: string): number {
    const average = this.#averages.get(owner);
    if (average === undefined) return DEFAULT_KEY_LENGTH;
    return Math.ceil((average + 1) / KEY_LENGTH_STEP) * KEY_LENGTH_STEP;
  }

  observe(owner: string, keys: number, bytes: number): void {
    const average = bytes / Math.max(keys, MIN_OBSERVED_KEYS);
    const previous = this.#averages.peek(owner);
    // Few short keys say nothing about the others.
    if (previous === undefined && keys < MIN_OBSERVED_KEYS && average < DEFAULT_KEY_LENGTH) return;
    this.#averages.set(owner, Math.max(average, (previous ?? 0) * DECAY));
  }
}

/** How many join keys of this length fit into one call, beside an administration's id of this length. */
export function joinKeysPerCall(keyLength: number, administrationLength: number): number {
  const room = roomForValues(administrationLength);
  return Math.max(1, Math.min(MAX_VALUES, Math.floor(room / (keyLength + 1))));
}

/**
 * What the estimate of an operation assumes about records that were not read yet. Execution fails where an assumption
 * does not hold, so that an operation never makes more calls than estimated; the next estimate uses the observed value.
 */
export class Assumptions {
  /** The average length of the join keys of one lookup in a URL, at most. */
  readonly joinKeyLength: number;
  readonly #lengths: JoinKeyLengths;
  readonly #session: RestSession;
  #administrations: number | undefined;

  constructor(lengths: JoinKeyLengths, session: RestSession) {
    this.joinKeyLength = lengths.assumedLength(session.owner);
    this.#lengths = lengths;
    this.#session = session;
  }

  /** For the caller's next estimates. */
  observeJoinKeys(keys: number, bytes: number): void {
    this.#lengths.observe(this.#session.owner, keys, bytes);
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
