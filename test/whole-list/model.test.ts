import fc from 'fast-check';
import { expect, test } from 'vitest';
import { casesOf } from '../support/search.ts';
import { expectedAnswer } from './answers.ts';
import { cases } from './generate.ts';
import { expectAnswer, run, serveRows, useLists } from './run.ts';

const gateway = await useLists();

test('lists are filtered, sorted, added up and grouped like the model', async () => {
  const property = fc.asyncProperty(cases, async (oneCase) => {
    const { spec, rows, perPage, asks } = oneCase;
    serveRows(gateway.rest, spec, rows, perPage);
    gateway.rest.calls.length = 0;
    const answer = await run(gateway, oneCase);
    for (const [index, ask] of asks.entries())
      expectAnswer(answer, `a${index}`, expectedAnswer(spec, rows, ask));
    // No page twice: equal walks are one.
    const calls = gateway.calls().map((call) => JSON.stringify(call));
    expect(new Set(calls).size).toBe(calls.length);
  });
  await fc.assert(property, { numRuns: casesOf({ short: 12, long: 2000 }) });
});
