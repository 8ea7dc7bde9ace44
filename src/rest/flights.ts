import { Caller } from './caller.ts';
import { covers, type Fields } from './fields.ts';

/** Calls under way, which an equal call may join instead of being sent again. */
export interface Flights<T> {
  /**
   * Joins a flight that brings all of `fields`, or starts one. `send` is given all who wait for it as one caller,
   * who leaves when the last of them does.
   */
  join(
    key: string,
    fields: Fields,
    caller: Caller,
    send: (callers: Caller) => Promise<T>,
  ): { readonly joined: boolean; readonly answer: Promise<T> };
}

interface Flight<T> {
  readonly fields: Fields;
  readonly answer: Promise<T>;
  /** All who wait for it, as one. */
  readonly callers: Caller;
  /** Whether it still brings its answer: one that all have left may have been given up. */
  readonly isOpen: () => boolean;
  waiting: number;
}

/** Lasting flights bring their answer even when nobody waits for it any more. */
export function createFlights<T>({ lasting = false } = {}): Flights<T> {
  // No Map: where entries come and go, a Map's outgrown tables keep what they held alive until a full collection.
  const underWay: { [key: string]: Flight<T>[] } = Object.create(null);

  function start(key: string, fields: Fields, send: (callers: Caller) => Promise<T>): Flight<T> {
    const callers = new Caller();
    const isOpen = () => lasting || !callers.isGone;
    const flight: Flight<T> = { fields, callers, isOpen, waiting: 0, answer: send(callers) };
    underWay[key] = [...(underWay[key] ?? []), flight];
    const land = () => {
      const others = underWay[key]?.filter((other) => other !== flight) ?? [];
      if (others.length > 0) underWay[key] = others;
      else delete underWay[key];
    };
    flight.answer.then(land, land);
    return flight;
  }

  return {
    join(key, fields, caller, send) {
      const running = underWay[key]?.find((flight) => flight.isOpen() && covers(flight.fields, fields));
      const flight = running ?? start(key, fields, send);
      return { joined: running !== undefined, answer: ride(flight, caller) };
    },
  };
}

/** A caller who leaves gets off; the flight goes on for those who stay. */
function ride<T>(flight: Flight<T>, caller: Caller): Promise<T> {
  flight.waiting += 1;
  return new Promise((resolve, reject) => {
    const leave = () => {
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.callers.leave('left');
      reject(caller.error());
    };
    caller.onLeave(leave);
    flight.answer.then(
      (answer) => {
        caller.offLeave(leave);
        resolve(answer);
      },
      (error) => {
        caller.offLeave(leave);
        reject(error);
      },
    );
  });
}
