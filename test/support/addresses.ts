import { onTestFinished } from 'vitest';
import { setAddress } from '../../src/limits/owner.ts';

/** Lets an owner come from an address until the test ends: files share what is known of owners. */
export function comesFrom(address: string, ...owners: readonly string[]): void {
  for (const owner of owners) {
    setAddress(owner, address);
    // As one whose address is not known.
    onTestFinished(() => setAddress(owner, owner));
  }
}
