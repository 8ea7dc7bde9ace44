import { setImmediate as nextTurn } from 'node:timers/promises';

/** Waits until all that was scheduled for the next turns of the event loop has happened. */
export async function nextTurns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}
