/** Calls a function with 0, 1, 2, … and returns its results. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
