import { randomInt } from 'node:crypto';
import fc from 'fast-check';

const isLong = process.env.SEARCH === 'long';

/**
 * Where random searches begin. In `npm test` it is always the same, so that a test fails only for a change of the code;
 * `npm run test:long` begins elsewhere each time. A failure prints its seed: `SEED=17 npm run test:long` begins there.
 */
export const SEED = Number(process.env.SEED ?? (isLong ? randomInt(2 ** 31) : 1));

fc.configureGlobal({ seed: SEED, numRuns: casesOf({ short: 20, long: 100 }) });

/** How many cases a random search tries: few in every run, and many more in `npm run test:long`. */
export function casesOf({ short, long }: { readonly short: number; readonly long: number }): number {
  return isLong ? long : short;
}
