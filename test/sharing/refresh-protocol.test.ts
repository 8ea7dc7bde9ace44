import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refreshOnce, type SharedStates } from '../../src/sharing/refresh-protocol.ts';
import { casesOf } from '../support/search.ts';
import { explore, type ModelOptions, type Run, runModel } from './refresh-model.ts';

/** Fails with what happened, if a run breaks what the protocol promises. */
function check({ endings, events, state, hasLateMoves }: Run): void {
  const fail = (what: string) => expect.fail(`${what}: ${events.join(', ')}; then ${state || 'free'}`);
  const hasFault = hasLateMoves || endings.some(({ hasCrashed, isCut }) => hasCrashed || isCut);
  const sent = endings.filter(({ hasSent }) => hasSent);
  // Whoever cannot share works as a single process would.
  if (sent.filter(({ hasClaimed, isCut }) => hasClaimed || !isCut).length > 1) fail('it was sent twice');
  for (const { verdict, hasSent, hasClaimed, isCut, hasCrashed } of endings) {
    if (verdict === undefined && !hasCrashed) fail('somebody waits without end');
    if (hasSent && !hasClaimed && !isCut) fail('somebody refreshed alone, who could share');
    const hasResult = verdict?.kind === 'done' || verdict?.kind === 'refused';
    if (hasResult && sent.length === 0) fail('there is a result of nothing');
  }
  if (/^(sent|unknown)/.test(state) && sent.length === 0 && !hasFault)
    fail('nobody has sent it, and nobody ever will');
}

describe('a refresh token at several replicas is sent once at most, and whoever waits is told how it ended', () => {
  test.each<[string, ModelOptions]>([
    ['two replicas in every order', { replicas: 2, faults: 0 }],
    ['two replicas in every order, with a fault at any time', { replicas: 2, faults: 1 }],
    [
      'two replicas in every order, whatever becomes of what they send',
      { replicas: 2, faults: 0, outcomes: ['done', 'refused', 'unknown', 'unsent'] },
    ],
  ])('%s', async (_, options) => {
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
      const run = await runModel(
        (of) => {
          next += 1;
          return (picks[next - 1] ?? 0) % of;
        },
        { replicas: 3, faults: 3, outcomes: ['done', 'refused', 'unknown', 'unsent'] },
      );
      if (run) check(run);
    });
    await fc.assert(property, { numRuns: casesOf({ short: 200, long: 1_000 }) });
  });
});

describe('a refresh ends, whatever becomes of another', () => {
  /** Answers each move as `answer` says; a pause takes as long as it may, and a move no time. */
  async function refresh(answer: (to: string) => string) {
    let [now, sends] = [0, 0];
    const states: SharedStates = {
      move: async (_key, _from, to) => answer(to),
      async pause(milliseconds) {
        now += milliseconds;
      },
      now: () => now,
    };
    const send = async () => {
      sends += 1;
      return { kind: 'unknown' } as const;
    };
    const verdict = await refreshOnce(states, { key: 'token', owner: 'me', sendMs: 1_000, send });
    return { verdict: verdict.kind, now, sends };
  }
  const lost = () => {
    throw new Error('lost');
  };

  test.each<[string, (to: string) => string, object]>([
    ['it is sent by another, who vanishes', () => 'sent other', { verdict: 'unknown', now: 3_000, sends: 0 }],
    ['its outcome is not known', () => 'unknown', { verdict: 'unknown', now: 0, sends: 0 }],
    ['it is done', () => 'done sealed', { verdict: 'done', now: 0, sends: 0 }],
    ['the states cannot be reached', lost, { verdict: 'sent here', sends: 1 }],
  ])('%s', async (_what, answer, expected) => {
    expect(await refresh(answer)).toMatchObject(expected);
  });
});
