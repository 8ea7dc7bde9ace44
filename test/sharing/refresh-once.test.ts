import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FREE, refreshOnce, UNKNOWN } from '../../src/sharing/refreshes.ts';
import { casesOf } from '../support/search.ts';
import { explore, type ModelOptions, type Run, runModel } from './refresh-model.ts';

const OUTCOMES = ['done', 'refused', UNKNOWN, FREE];

/** Fails with what happened, if a run breaks what the protocol promises. */
function check({ replicas, events, state, hasLateMoves }: Run): void {
  const fail = (what: string) => expect.fail(`${what}: ${events.join(', ')}; then ${state || 'free'}`);
  const hasFault = hasLateMoves || replicas.some(({ hasCrashed, isCut }) => hasCrashed || isCut);
  const sent = replicas.filter(({ hasSent }) => hasSent);
  // A replica that cannot share works as a single process would.
  if (sent.filter(({ hasClaimed, isCut }) => hasClaimed || !isCut).length > 1) fail('it was sent twice');
  for (const { verdict, hasSent, hasClaimed, isCut, hasCrashed } of replicas) {
    if (verdict === undefined && !hasCrashed) fail('somebody waits without end');
    if (hasSent && !hasClaimed && !isCut) fail('somebody refreshed alone, who could share');
    if (/^(done|refused)/.test(verdict ?? '') && sent.length === 0) fail('there is a result of nothing');
  }
  if (/^(sent|unknown)/.test(state) && sent.length === 0 && !hasFault)
    fail('nobody has sent it, and nobody ever will');
}

describe('replicas send a refresh token at most once, and each waiting request gets the outcome:', () => {
  test.each<[string, ModelOptions]>([
    ['in every order', { replicas: 2, faults: 0 }],
    ['in every order, with a fault at any time', { replicas: 2, faults: 1 }],
    ['in every order, with every outcome of a call', { replicas: 2, faults: 0, outcomes: OUTCOMES }],
  ])('two replicas %s', async (_, options) => {
    const runs = await explore(async (choose, isKnown) => {
      const run = await runModel(choose, options, isKnown);
      if (run) check(run);
    });
    expect(runs).toBeGreaterThan(20);
  });

  test('three replicas in random orders, with several faults', async () => {
    const choices = fc.array(fc.nat(), { minLength: 10, maxLength: 60 });
    const property = fc.asyncProperty(choices, async (picks) => {
      let next = 0;
      const choose = (of: number) => {
        next += 1;
        return (picks[next - 1] ?? 0) % of;
      };
      const run = await runModel(choose, { replicas: 3, faults: 3, outcomes: OUTCOMES });
      if (run) check(run);
    });
    await fc.assert(property, { numRuns: casesOf({ short: 200, long: 1_000 }) });
  });
});

test('a request that waits for a lost replica gets an unknown outcome', async () => {
  let now = 0;
  const states = {
    move: async () => 'sent other',
    async pause(milliseconds: number) {
      now += milliseconds;
    },
    now: () => now,
  };
  const send = () => expect.fail('it was sent twice');
  expect(await refreshOnce(states, 'token', 'me', 1_000, send)).toBe(UNKNOWN);
  expect(now).toBe(3_000);
});
