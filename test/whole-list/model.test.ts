import fc from 'fast-check';
import { test } from 'vitest';
import { casesOf } from '../support/search.ts';
import { expectedAnswer, isWhole } from './answers.ts';
import { type Ask, type Case, cases } from './generate.ts';
import { isRow } from './model.ts';
import { pathOf } from './operation.ts';
import { checkNumberOfCalls } from './rest-calls.ts';
import { expectAnswer, type Language, run, useLanguages } from './run.ts';
import { serveRows } from './service.ts';

const { rest, languages } = await useLanguages();

test('lists are filtered, ordered, summed and grouped as by the model', async () => {
  const values = fc.tuple(fc.constantFrom(...languages), cases);
  const property = fc.asyncProperty(values, ([language, generated]) => {
    const asks = generated.asks.map((ask) => withReadableCursors(ask, generated));
    return compare(language, { ...generated, asks });
  });
  await fc.assert(property, { numRuns: casesOf({ short: 12, long: 2000 }) });
});

async function compare({ gateway, texts, calls: callsOf }: Language, oneCase: Case): Promise<void> {
  const { spec, rows, perPage, asks } = oneCase;
  serveRows(rest, spec, rows, perPage);
  rest.calls.length = 0;
  const answer = await run(gateway, oneCase);
  for (const [index, ask] of asks.entries())
    expectAnswer(answer, pathOf(ask, index), expectedAnswer(texts, spec, rows, ask));
  checkNumberOfCalls({ ...oneCase, calls: callsOf() });
}

/** In a plain list, rows that are none have no cursor either. */
function withReadableCursors(ask: Ask, { rows }: Case): Ask {
  const isAffected = !isWhole(ask) && rows.some(({ row }) => !isRow(row));
  return isAffected && ask.page === 'edges' ? { ...ask, page: 'nodes' } : ask;
}
