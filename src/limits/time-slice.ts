import { AcceptingTurns } from './accepting-turns.ts';
import { isAddress } from './owner.ts';

/** How long work on large responses may block the event loop before it yields. */
const SLICE_MS = 5;

let sliceStart: number | undefined;
let sliceNumber = 0;
/**
 * By owner: they take turns, however many operations each of them has under way. Credentials and addresses take turns
 * too: a stranger may have thousands of addresses.
 */
const credentials = new Map<string, (() => void)[]>();
const addresses = new Map<string, (() => void)[]>();
let isTurnOfAddresses = false;
const accepting = new AcceptingTurns();

/**
 * Whether long-running work has used up its time in this event loop turn. All such work shares one slice: ten large
 * responses at once delay a small one no more than a single large one does.
 */
export function isSliceOver(): boolean {
  const now = performance.now();
  if (sliceStart === undefined) {
    sliceStart = now;
    setImmediate(endSlice);
    return false;
  }
  return now - sliceStart > SLICE_MS;
}

export function currentSlice(): number {
  return sliceNumber;
}

/** Resolves in a later event loop turn, when long-running work of this owner may continue. */
export function nextSlice(owner: string): Promise<void> {
  return new Promise((resolve) => {
    const waiting = isAddress(owner) ? addresses : credentials;
    const queue = waiting.get(owner);
    if (queue) queue.push(resolve);
    else waiting.set(owner, [resolve]);
    if (sliceStart === undefined) {
      sliceStart = performance.now();
      setImmediate(endSlice);
    }
  });
}

/** Called when a connection was accepted, behind which others may wait. */
export function leaveTurnsToConnections(): void {
  accepting.onConnection();
}

async function endSlice(): Promise<void> {
  if (accepting.takeTurn() && credentials.size + addresses.size > 0) {
    setImmediate(endSlice);
    return;
  }
  sliceNumber += 1;
  const [due, others] = isTurnOfAddresses ? [addresses, credentials] : [credentials, addresses];
  const waiting = due.size > 0 ? due : others;
  isTurnOfAddresses = waiting === credentials;
  const [first] = waiting;
  if (first === undefined) {
    sliceStart = undefined;
    return;
  }
  const [owner, queue] = first;
  sliceStart = performance.now();
  setImmediate(endSlice);
  // Behind the other owners.
  waiting.delete(owner);
  waiting.set(owner, queue);
  // Hundreds of short lists may wait: one in each turn would take seconds.
  do {
    queue.shift()?.();
    await afterMicrotasks();
  } while (queue.length > 0 && !isSliceOver());
  if (queue.length === 0) waiting.delete(owner);
}

/** Resolves when what was resumed has done what it does before it waits again, in the same turn of the event loop. */
function afterMicrotasks(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
