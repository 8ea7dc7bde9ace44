import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refreshOnce, type SharedStates } from '../../src/sharing/refresh-protocol.ts';
import { casesOf } from '../support/search.ts';
import { explore, type ModelOptions, type Run, runModel } from './refresh-model.ts';

/** Fails with what happened, if a run breaks what the protocol promises. */
function check({ endings, events, state, hasLateMoves }: Run): void {
  const fail = (what: string) => expect.fail(`${what}: ${events.join(', ')}; then ${state || 'free'}`);
  const hasCrash = endings.some(({ hasCrashed }) => hasCrashed);
  const sent = endings.filter(({ hasSent }) => hasSent);
  if (sent.length > 1) fail('it was sent twice');
  for (const { verdict, hasSent, isCut, hasCrashed } of endings) {
    if (verdict === undefined && !hasCrashed) fail('somebody waits without end');
    if (verdict?.kind === 'alone' && !isCut) fail('somebody refreshed alone, who could share');
    if (verdict?.kind === 'interrupted' && hasSent) fail('somebody who has sent it was told to try again');
    const hasResult = verdict?.kind === 'done' || verdict?.kind === 'refused';
    if (hasResult && sent.length === 0) fail('there is a result of nothing');
  }
  if (/^(sent|unknown)/.test(state) && sent.length === 0 && !hasLateMoves && !hasCrash)
    fail('nobody has sent it, and nobody ever will');
}

describe('a refresh token at several replicas is sent once at most, and whoever waits is told how it ended', () => {
  test.each<[string, ModelOptions]>([
    [
      'two replicas in every order, with claims that end at any time',
      { replicas: 2, faults: 0, expiries: 2 },
    ],
    ['two replicas in every order, with a fault at any time', { replicas: 2, faults: 1, expiries: 1 }],
  ])('%s', async (_, options) => {
    const runs = await explore(async (choose, isKnown) => {
      const run = await runModel(choose, options, isKnown);
      if (run) check(run);
    });
    expect(runs).toBeGreaterThan(100);
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
        { replicas: 3, faults: 3, expiries: 3, outcomes: ['done', 'refused', 'unknown', 'unsent'] },
      );
      if (run) check(run);
    });
    await fc.assert(property, { numRuns: casesOf({ short: 200, long: 1_000 }) });
  });
});

describe('a refresh ends, whatever the states answer', () => {
  /** Answers each move as `answer` says; a poll takes as long as it may, and a move no time. */
  async function refresh(answer: (to: string, moves: number) => string) {
    let [now, moves, sends] = [0, 0, 0];
    const states: SharedStates = {
      async move(_key, _from, to) {
        moves += 1;
        // Ends a loop that would go on for ever.
        if (moves > 1_000) throw new Error('moved again and again');
        return answer(to, moves);
      },
      async changed(_key, milliseconds) {
        now += milliseconds;
      },
      recovered: async () => false,
      moveEventually() {},
      now: () => now,
    };
    const send = async () => {
      sends += 1;
      return { kind: 'unknown' } as const;
    };
    const verdict = await refreshOnce(states, { key: 'token', owner: 'me', sendMs: 1_000, send });
    return { verdict: verdict.kind, now, moves, sends };
  }

  test.each<[string, (to: string, moves: number) => string, object]>([
    ['free, though it is claimed', () => '', { verdict: 'interrupted', now: 4_000, moves: 17 }],
    ['claimed, though it is sent', () => 'claimed me', { verdict: 'interrupted', now: 0, moves: 2 }],
    [
      'claimed, and free when it is to be sent',
      (to) => (to.startsWith('claimed') ? to : ''),
      { verdict: 'interrupted', now: 4_000 },
    ],
    [
      'claimed by another each time',
      (_to, moves) => `claimed ${moves}`,
      { verdict: 'unknown', now: 4_000, moves: 17 },
    ],
    [
      'sent by another each time',
      (_to, moves) => `sent ${moves}`,
      { verdict: 'unknown', now: 4_000, moves: 17 },
    ],
    [
      'sent by another, who vanishes',
      (to) => (to.startsWith('unknown') ? to : 'sent other'),
      { verdict: 'unknown', now: 3_000, moves: 14 },
    ],
    ['a word that is no state', () => 'null', { verdict: 'interrupted', now: 0, moves: 1 }],
  ])('%s', async (_what, answer, expected) => {
    expect(await refresh(answer)).toMatchObject({ sends: 0, ...expected });
  });
});
