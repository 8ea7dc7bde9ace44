/** How many turns in a row may go to new connections alone. */
const MAX_TURNS = 40;

/**
 * Leaves turns of the event loop to new connections: Node accepts one in each, so that others would wait behind each of
 * them for as long as a turn takes.
 */
export class AcceptingTurns {
  #hasAccepted = false;
  #count = 0;

  /** More may be pending behind it. */
  onConnection(): void {
    this.#hasAccepted = true;
  }

  /** Asked once in each turn: whether it belongs to the connections. */
  takeTurn(): boolean {
    const isTaken = this.#hasAccepted && this.#count < MAX_TURNS;
    this.#hasAccepted = false;
    this.#count = isTaken ? this.#count + 1 : 0;
    return isTaken;
  }
}
