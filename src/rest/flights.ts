import { Caller } from './caller.ts';
import { covers, type Fields } from './fields.ts';

/** What a call under way has to bring for somebody to join it. */
export interface Wanted {
  readonly key: string;
  readonly fields: Fields;
  /** What the call brings that is sent where there is none to join. */
  readonly brings?: Fields;
  /** Joins none that was sent before, by `performance.now()`: it may bring what was so before. */
  readonly since?: number | undefined;
}

interface Flight<T> {
  readonly key: string;
  readonly fields: Fields;
  readonly startedAt: number;
  /** All who wait for it, as one. */
  readonly callers: Caller;
  readonly answer: Promise<T>;
  waiting: number;
}

/**
 * Calls under way, which an equal call may join instead of being sent again. They are few, so a list will do; the
 * outgrown tables of a Map would keep what they held alive until a full collection of garbage.
 */
export class Flights<T> {
  readonly #underWay: Flight<T>[] = [];
  readonly #lasting: boolean;

  /** Lasting flights bring their answer even when nobody waits for it any more. */
  constructor({ lasting = false } = {}) {
    this.#lasting = lasting;
  }

  /**
   * Joins a flight that brings all of `fields`, or starts one. `send` is given all who wait for it as one caller,
   * who leaves when the last of them does.
   */
  join(
    { key, fields, brings = fields, since = Number.NEGATIVE_INFINITY }: Wanted,
    caller: Caller,
    send: (callers: Caller) => Promise<T>,
  ): { readonly joined: boolean; readonly answer: Promise<T> } {
    const running = this.#underWay.find(
      (flight) =>
        flight.key === key &&
        flight.startedAt >= since &&
        this.#isOpen(flight) &&
        covers(flight.fields, fields),
    );
    const flight = running ?? this.#start(key, brings, send);
    return { joined: running !== undefined, answer: this.#ride(flight, caller) };
  }

  #start(key: string, fields: Fields, send: (callers: Caller) => Promise<T>): Flight<T> {
    const callers = new Caller();
    const startedAt = performance.now();
    const flight = { key, fields, startedAt, callers, answer: send(callers), waiting: 0 };
    this.#underWay.push(flight);
    return flight;
  }

  /** A caller who leaves gets off; the flight goes on for those who stay. */
  #ride(flight: Flight<T>, caller: Caller): Promise<T> {
    flight.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting -= 1;
        if (flight.waiting === 0) flight.callers.leave('left');
        reject(caller.error());
      };
      caller.onLeave(leave);
      const arrive = () => {
        caller.offLeave(leave);
        this.#land(flight);
      };
      flight.answer.then(
        (answer) => {
          arrive();
          resolve(answer);
        },
        (error) => {
          arrive();
          reject(error);
        },
      );
    });
  }

  /** Whoever rode on it, staying or not, sees it land; the first to do so takes it off the list. */
  #land(flight: Flight<T>): void {
    const index = this.#underWay.indexOf(flight);
    if (index >= 0) this.#underWay.splice(index, 1);
  }

  /** Whether it still brings its answer: one that all have left may have been given up. */
  #isOpen({ callers }: Flight<T>): boolean {
    return this.#lasting || !callers.isGone;
  }
}
