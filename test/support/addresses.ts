import { onTestFinished } from 'vitest';
import { addressOf, setAddress } from '../../src/limits/owner.ts';

const UNKNOWN = addressOf('nobody');

/** Lets an owner come from an address until the test ends: files share what is known of owners. */
export function comesFrom(address: string, ...owners: readonly string[]): void {
  for (const owner of owners) {
    setAddress(owner, address);
    onTestFinished(() => setAddress(owner, UNKNOWN));
  }
}
