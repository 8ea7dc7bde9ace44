/** How long work on large answers may keep the event loop, before everybody else has a turn. */
const SLICE_MS = 5;

let sliceStart: number | undefined;
let sliceNumber = 0;
const waiting: (() => void)[] = [];

/**
 * Whether long work has had its share of this turn of the event loop. All of it shares one slice: ten large answers at
 * once delay a small one by no more than one of them does.
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

/** Tells one slice from another. */
export function currentSlice(): number {
  return sliceNumber;
}

/** Until long work may go on, in another turn. */
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
