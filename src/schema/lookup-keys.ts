import { RestError } from '../rest/errors.ts';
import { countFitting, countParts, MAX_VALUES, roomForValues } from '../rest/query.ts';
import { encodedLength } from '../rest/url.ts';
import { joinKeysPerCall } from './assumptions.ts';
import type { Context } from './context.ts';

/** The keys of one lookup. Those of joins were not known when the calls were estimated. */
export class LookupKeys {
  readonly #administrationId: string;
  readonly #named = new Set<string>();
  readonly #joined = new Set<string>();
  #joinedBytes = 0;

  constructor(administrationId: string) {
    this.#administrationId = administrationId;
  }

  add(value: string, joinKeyLength?: number): void {
    if (joinKeyLength === undefined) {
      this.#named.add(value);
    } else if (!this.#joined.has(value)) {
      this.#joined.add(value);
      this.#joinedBytes += joinKeyLength;
    }
  }

  /** As many keys as fit into the estimated calls. The others fail, and later estimates know the length of keys. */
  withinEstimate({ assumptions, budget }: Pick<Context, 'assumptions' | 'budget'>) {
    const values = [...(this.#named.size === 0 ? this.#joined : new Set([...this.#named, ...this.#joined]))];
    const excess = new Map<string, Error>();
    const count = this.#joined.size;
    if (count === 0) return { values, excess };
    assumptions.observeJoinKeys(count, this.#joinedBytes);
    const administrationLength = encodedLength(this.#administrationId);
    const room = roomForValues(administrationLength);
    // Most joins fit into one call, which is always estimated: their keys need not be measured again.
    if (this.#named.size === 0 && count <= MAX_VALUES && this.#joinedBytes + count <= room)
      return { values, excess };
    const keysPerCall = joinKeysPerCall(assumptions.joinKeyLength, administrationLength);
    const calls = Math.ceil(count / keysPerCall) + countParts(this.#named, room);
    const fitting = countFitting(values, room, calls);
    if (fitting < values.length) {
      const error = tooManyCalls(budget.isProtected);
      for (const value of values.splice(fitting)) excess.set(value, error);
    }
    return { values, excess };
  }
}

function tooManyCalls(isMutation: boolean): RestError {
  const advice = isMutation
    ? 'Ask for this record by its id, in a query.'
    : 'How long the ids are is known now: send the operation again.';
  return new RestError(
    'OPERATION_TOO_EXPENSIVE',
    `The ids are so long that looking up all records takes more REST calls than were estimated. ${advice}`,
  );
}
