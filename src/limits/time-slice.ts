/** How long work on large responses may block the event loop before it yields. */
const SLICE_MS = 5;

let sliceStart: number | undefined;
let sliceNumber = 0;
const waiting: (() => void)[] = [];

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

/** Identifies the current slice. */
export function currentSlice(): number {
  return sliceNumber;
}

/** Resolves in a later event loop turn, when long-running work may continue. */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (sliceStart === undefined) {
      sliceStart = performance.now();
      setImmediate(endSlice);
    }
  });
}

function endSlice(): void {
  sliceNumber += 1;
  const next = waiting.shift();
  if (next === undefined) {
    sliceStart = undefined;
    return;
  }
  sliceStart = performance.now();
  setImmediate(endSlice);
  next();
}
