import { callerEnded } from './errors.ts';
import { covers, type Fields } from './fields.ts';

/** Calls under way, which an equal call may join instead of being sent again. */
export interface Flights<T> {
  /** Joins a flight that brings all of `fields`, or starts one. It ends early only when all who wait have left. */
  join(
    key: string,
    fields: Fields,
    caller: AbortSignal,
    send: (signal: AbortSignal) => Promise<T>,
  ): { readonly joined: boolean; readonly answer: Promise<T> };
}

interface Flight<T> {
  readonly fields: Fields;
  readonly answer: Promise<T>;
  readonly controller: AbortController;
  callers: number;
}

export function createFlights<T>(): Flights<T> {
  const underWay = new Map<string, Flight<T>[]>();

  function start(key: string, fields: Fields, send: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const flight: Flight<T> = { fields, controller, callers: 0, answer: send(controller.signal) };
    underWay.set(key, [...(underWay.get(key) ?? []), flight]);
    const land = () => {
      const others = underWay.get(key)?.filter((other) => other !== flight) ?? [];
      if (others.length > 0) underWay.set(key, others);
      else underWay.delete(key);
    };
    flight.answer.then(land, land);
    return flight;
  }

  return {
    join(key, fields, caller, send) {
      const running = underWay.get(key)?.find((flight) => isOpen(flight) && covers(flight.fields, fields));
      const flight = running ?? start(key, fields, send);
      return { joined: running !== undefined, answer: ride(flight, caller) };
    },
  };
}

function isOpen({ controller }: Flight<unknown>): boolean {
  return !controller.signal.aborted;
}

/** A caller who leaves gets off; the flight goes on for those who stay. */
function ride<T>(flight: Flight<T>, caller: AbortSignal): Promise<T> {
  flight.callers += 1;
  return new Promise((resolve, reject) => {
    const leave = () => {
      flight.callers -= 1;
      if (flight.callers === 0) flight.controller.abort(caller.reason);
      reject(callerEnded(caller));
    };
    if (caller.aborted) return leave();
    caller.addEventListener('abort', leave, { once: true });
    const arrive = () => caller.removeEventListener('abort', leave);
    flight.answer.finally(arrive).then(resolve, reject);
  });
}
