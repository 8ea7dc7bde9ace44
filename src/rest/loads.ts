import { TOO_MANY_LOADS } from './errors.ts';

/** How much is asked for at once: in lists, of which each takes as long as so many of the others. */
const MAX_WORK = 3_000;
const VALUES_PER_LIST = 50;
const RECORDS_PER_LIST = 500;
const CONDITIONS_PER_LIST = 12;

/** What each takes in memory, as measured. */
const LIST_BYTES = 1_500;
const VALUE_BYTES = 150;
const RECORD_BYTES = 60;
const CONDITION_BYTES = 350;

/** A list or records that are asked for: the values of its filters, how many records, the parts of its conditions. */
export interface Load {
  readonly values?: number;
  readonly records?: number;
  readonly conditions?: number;
}

/**
 * Counts what an operation asks for. That is done in one turn of the event loop, so that it can be read together: for
 * each administration of a token, each row of an export, and each event of a stream. How many there are is not known
 * before.
 */
export class Loads {
  #work = 0;

  /** Returns the memory that it takes until it is read. */
  add({ values = 0, records = 0, conditions = 0 }: Load): number {
    this.#work +=
      1 + values / VALUES_PER_LIST + records / RECORDS_PER_LIST + conditions / CONDITIONS_PER_LIST;
    if (this.#work > MAX_WORK) throw TOO_MANY_LOADS;
    return LIST_BYTES + values * VALUE_BYTES + records * RECORD_BYTES + conditions * CONDITION_BYTES;
  }
}
