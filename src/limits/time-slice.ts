import { lruMap } from '../memoize.ts';
import { AcceptingTurns } from './accepting-turns.ts';
import { FairQueue } from './fair-queue.ts';
import { isAddress } from './owner.ts';

/** How long work on large responses may block the event loop before it yields. */
const SLICE_MS = 5;

let sliceStart: number | undefined;
let sliceNumber = 0;
/** A stranger may have thousands of addresses: all of them together get no more time than credentials do. */
const waiting = new FairQueue();
/** Where credentials came from last: those of one address share its time, however many there are. */
const addresses = lruMap<string>(1_000);
const accepting = new AcceptingTurns();

/**
 * Whether long-running work has used up its time in this event loop turn. All such work shares one slice: ten large
 * responses at once delay a small one no more than a single large one does.
 */
export function isSliceOver(): boolean {
  if (sliceStart !== undefined) return performance.now() - sliceStart > SLICE_MS;
  startSlice();
  return false;
}

export function currentSlice(): number {
  return sliceNumber;
}

/** Resolves in a later event loop turn, when long-running work of this owner may continue. */
export function nextSlice(owner: string): Promise<void> {
  return new Promise((resolve) => {
    const path = isAddress(owner) ? ['addresses', owner] : ['credentials', addresses.get(owner) ?? '', owner];
    waiting.add(path, resolve);
    if (sliceStart === undefined) startSlice();
  });
}

/** Called when an operation of a credential is about to start. */
export function setAddress(credential: string, address: string): void {
  if (addresses.get(credential) !== address) addresses.set(credential, address);
}

/** Called when a connection was accepted, behind which others may wait. */
export function leaveTurnsToConnections(): void {
  accepting.onConnection();
}

function startSlice(): void {
  sliceStart = performance.now();
  setImmediate(endSlice);
}

async function endSlice(): Promise<void> {
  if (accepting.takeTurn() && !waiting.isEmpty) {
    setImmediate(endSlice);
    return;
  }
  sliceNumber += 1;
  sliceStart = undefined;
  if (waiting.isEmpty) return;
  startSlice();
  // Hundreds of short lists may wait: one in each turn would take seconds.
  do await resumeNext();
  while (!waiting.isEmpty && !isSliceOver());
}

async function resumeNext(): Promise<void> {
  const next = waiting.takeNext();
  if (next === undefined) return;
  const startedAt = performance.now();
  next.start();
  // When what was resumed has done what it does before it waits again, in the same turn of the event loop: at the start
  // of a turn, Node runs `nextTick` callbacks before promise continuations.
  await undefined;
  await new Promise<void>((resolve) => process.nextTick(resolve));
  waiting.count(next.path, performance.now() - startedAt);
}
