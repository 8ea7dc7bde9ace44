import type { Caller } from './caller.ts';
import { RestError } from './errors.ts';

/** Bounds how many calls are under way, and how many wait for that. */
export interface Gate {
  /** Takes a place; a promise where it has to be waited for. Throws where too many wait already. */
  enter(caller: Caller): Promise<void> | undefined;
  /** Gives the place back. */
  leave(): void;
}

export function createGate(limits: { readonly running: number; readonly waiting: number }): Gate {
  let running = 0;
  const waiting = new Set<() => void>();

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
    } else {
      // The place goes straight to who waits longest.
      waiting.delete(next);
      next();
    }
  }

  function enter(caller: Caller): Promise<void> | undefined {
    if (running < limits.running) {
      running += 1;
      return undefined;
    }
    if (waiting.size >= limits.waiting) {
      throw new RestError('OVERLOADED', 'Too many REST calls are waiting. Try again in a moment.', {
        retryAfter: 1,
      });
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        caller.offLeave(giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(admit);
        reject(caller.error());
      };
      waiting.add(admit);
      caller.onLeave(giveUp);
    });
  }

  return { enter, leave };
}
