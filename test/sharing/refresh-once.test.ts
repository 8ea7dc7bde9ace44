import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FREE, refreshOnce, UNKNOWN } from '../../src/sharing/refresh-once.ts';
import { casesOf } from '../support/search.ts';
import { explore, type ModelOptions, type Run, runModel } from './refresh-model.ts';

const OUTCOMES = ['done', 'refused', UNKNOWN, FREE];

/** Fails with what happened, if a run breaks what the protocol promises. */
function check({ replicas, events, state, hasLateMoves }: Run): void {
  const fail = (what: string) => expect.fail(`${what}: ${events.join(', ')}; then ${state || 'free'}`);
  const hasFault = hasLateMoves || replicas.some(({ hasCrashed, isCut }) => hasCrashed || isCut);
  const sent = replicas.filter(({ hasSent }) => hasSent);
  // Whoever cannot share works as a single process would.
  if (sent.filter(({ hasClaimed, isCut }) => hasClaimed || !isCut).length > 1) fail('it was sent twice');
  for (const { verdict, hasSent, hasClaimed, isCut, hasCrashed } of replicas) {
    if (verdict === undefined && !hasCrashed) fail('somebody waits without end');
    if (hasSent && !hasClaimed && !isCut) fail('somebody refreshed alone, who could share');
    if (/^(done|refused)/.test(verdict ?? '') && sent.length === 0) fail('there is a result of nothing');
  }
  if (/^(sent|unknown)/.test(state) && sent.length === 0 && !hasFault)
    fail('nobody has sent it, and nobody ever will');
}

describe('a refresh token at several replicas is sent once at most, and whoever waits is told how it ended', () => {
  test.each<[string, ModelOptions]>([
    ['in every order', { replicas: 2, faults: 0 }],
    ['in every order, with a fault at any time', { replicas: 2, faults: 1 }],
    ['in every order, whatever becomes of what they send', { replicas: 2, faults: 0, outcomes: OUTCOMES }],
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

test.each<[string, () => string, object]>([
  ['it is sent by another, who vanishes', () => 'sent other', { verdict: UNKNOWN, now: 3_000, sends: 0 }],
  ['its outcome is not known', () => UNKNOWN, { verdict: UNKNOWN, now: 0, sends: 0 }],
  ['it is done', () => 'done sealed', { verdict: 'done sealed', now: 0, sends: 0 }],
  [
    'the states cannot be reached',
    () => {
      throw new Error('lost');
    },
    { verdict: undefined, sends: 1 },
  ],
])('a refresh ends where %s', async (_what, answer, expected) => {
  let [now, sends] = [0, 0];
  const states = {
    move: async () => answer(),
    async pause(milliseconds: number) {
      now += milliseconds;
    },
    now: () => now,
  };
  const send = async () => {
    sends += 1;
    return UNKNOWN;
  };
  const verdict = await refreshOnce(states, { key: 'token', owner: 'me', sendMs: 1_000, send });
  expect({ verdict, now, sends }).toMatchObject(expected);
});
