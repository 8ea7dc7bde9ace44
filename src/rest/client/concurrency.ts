import { FairShare } from '../../limits/fair-share.ts';
import { RestError } from '../errors.ts';
import type { Cancellation } from './cancellation.ts';

/** Bounds how many calls run at once, and how many wait in a queue, with a fair share of both for each owner. */
export interface ConcurrencyLimit {
  /** Takes a slot; a promise where it has to be waited for. Throws where the owner's share of the queue is used up. */
  enter(owner: string, cancellation: Cancellation): Promise<void> | undefined;
  /** Gives the slot back. */
  leave(owner: string): void;
}

type Admit = () => void;

/**
 * A freed slot goes to the waiting owners in turn, and for each to the call that waits longest. An owner waits only
 * while it may take no slot, so who comes new never overtakes calls of the same owner.
 */
export function createConcurrencyLimit(limits: {
  readonly running: number;
  readonly waiting: number;
}): ConcurrencyLimit {
  const running = new FairShare(limits.running);
  const waiting = new FairShare(limits.waiting);
  // The queues of the owners that wait, the one first that was served longest ago.
  const queues = new Map<string, Set<Admit>>();

  function enter(owner: string, cancellation: Cancellation): Promise<void> | undefined {
    if (running.tryTake(owner)) return undefined;
    if (!waiting.tryTake(owner)) {
      const message = 'Too many REST calls are waiting. Try again in a moment.';
      throw new RestError('OVERLOADED', message, { retryAfter: 1 });
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        cancellation.offAbort(giveUp);
        resolve();
      };
      const giveUp = () => {
        dequeue(owner, admit);
        reject(cancellation.error());
      };
      enqueue(owner, admit);
      cancellation.onAbort(giveUp);
    });
  }

  function enqueue(owner: string, admit: Admit): void {
    const queue = queues.get(owner);
    if (queue) queue.add(admit);
    else queues.set(owner, new Set([admit]));
  }

  function dequeue(owner: string, admit: Admit): void {
    const queue = queues.get(owner);
    if (!queue?.delete(admit)) return;
    if (queue.size === 0) queues.delete(owner);
    waiting.release(owner);
  }

  function leave(owner: string): void {
    running.release(owner);
    // Mostly one can go on; two where the owner that gave its slot back now has one to take as well.
    while (queues.size > 0 && admitNext());
  }

  function admitNext(): boolean {
    for (const [owner, queue] of queues) {
      if (!running.tryTake(owner)) continue;
      const [admit] = queue;
      if (admit === undefined) return false;
      dequeue(owner, admit);
      // To the end of the line of owners.
      if (queues.delete(owner)) queues.set(owner, queue);
      admit();
      return true;
    }
    return false;
  }

  return { enter, leave };
}
