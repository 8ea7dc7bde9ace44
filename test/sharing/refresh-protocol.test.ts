import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
