import fc from 'fast-check';
import { expect, test } from 'vitest';
import { casesOf } from '../support/search.ts';
import { expectedAnswer } from './answers.ts';
import { type Case, cases } from './generate.ts';
import { pathOf } from './operation.ts';
import { expectAnswer, type Language, run, useLanguages } from './run.ts';
import { serveRows } from './service.ts';

const { rest, languages } = await useLanguages();

test('lists are filtered, ordered, summed and grouped as by the model', async () => {
  const values = fc.tuple(fc.constantFrom('en', 'sv'), cases);
  const property = fc.asyncProperty(values, ([locale, oneCase]) => compare(languages[locale], oneCase));
  await fc.assert(property, { numRuns: casesOf({ short: 12, long: 2000 }) });
});

async function compare({ gateway, texts, calls: callsOf }: Language, oneCase: Case): Promise<void> {
  const { spec, rows, perPage, asks } = oneCase;
  serveRows(rest, spec, rows, perPage);
  rest.calls.length = 0;
  const answer = await run(gateway, oneCase);
  for (const [index, ask] of asks.entries())
    expectAnswer(answer, pathOf(ask, index), expectedAnswer(texts, spec, rows, ask));
  // No page twice: equal walks are one.
  const calls = callsOf().map((call) => JSON.stringify(call));
  expect(new Set(calls).size).toBe(calls.length);
}
