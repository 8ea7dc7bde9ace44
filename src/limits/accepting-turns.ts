/** How many turns in a row may go to new connections alone, and for how long: a turn takes long where much arrives. */
const MAX_TURNS = 40;
const MAX_MS = 20;

/**
 * Leaves turns of the event loop to new connections: Node accepts one in each, so that others would wait behind each of
 * them for as long as a turn takes.
 */
export class AcceptingTurns {
  readonly #now: () => number;
  #hasAccepted = false;
  #hadAccepted = false;
  #count = 0;
  /** When the first of these turns was taken. */
  #since = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** More may be pending behind it. */
  onConnection(): void {
    this.#hasAccepted = true;
  }

  /** Whether connections were accepted in this turn, or in the one before it. */
  get areComing(): boolean {
    return this.#hasAccepted || this.#hadAccepted;
  }

  /** Asked once in each turn: whether it belongs to the connections. */
  takeTurn(): boolean {
    if (this.#count === 0) this.#since = this.#now();
    const isTaken = this.#hasAccepted && this.#count < MAX_TURNS && this.#now() - this.#since < MAX_MS;
    this.#hadAccepted = this.#hasAccepted;
    this.#hasAccepted = false;
    this.#count = isTaken ? this.#count + 1 : 0;
    return isTaken;
  }
}
