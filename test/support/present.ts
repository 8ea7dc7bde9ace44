import { expect } from 'vitest';

/** A value that has to be there. */
export function present<T>(value: T | null | undefined): T {
  return value ?? expect.fail('there is no such value');
}
