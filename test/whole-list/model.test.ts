import fc from 'fast-check';
import { test } from 'vitest';
import { present } from '../support/present.ts';
import { casesOf } from '../support/search.ts';
import { expectedAnswer, isWhole } from './answers.ts';
import { type Ask, type Case, cases } from './generate.ts';
import { isRow } from './model.ts';
import { pathOf } from './operation.ts';
import { checkFields, checkNumberOfCalls } from './rest-calls.ts';
import { expectAnswer, type Language, run, useLanguages } from './run.ts';
import { explained, search } from './search.ts';
import { serveRows } from './service.ts';

const { rest, languages } = await useLanguages();

test('lists are filtered, ordered, summed and grouped as by the model', async () => {
  const values = fc.tuple(fc.constantFrom(...languages), cases);
  await search(values, casesOf({ short: 12, long: 2000 }), ([language, generated]) => {
    const asks = generated.asks.map((ask) => withReadableCursors(ask, generated));
    const oneCase = { ...generated, asks };
    return explained(oneCase, () => compare(language, oneCase));
  });
});

async function compare({ gateway, texts, calls: callsOf }: Language, oneCase: Case): Promise<void> {
  const { spec, rows, perPage, asks } = oneCase;
  serveRows(rest, spec, rows, perPage);
  rest.calls.length = 0;
  const answer = await run(gateway, oneCase);
  const expected = asks.map((ask) => expectedAnswer(texts, spec, rows, ask));
  for (const [index, ask] of asks.entries()) {
    expectAnswer(answer, pathOf(ask, index), present(expected[index]));
  }
  const calls = callsOf();
  checkNumberOfCalls({ ...oneCase, expected, calls });
  if (asks.length === 1) checkFields({ ...oneCase, expected, calls });
}

/** In a plain list, rows that are none have no cursor either. */
function withReadableCursors(ask: Ask, { rows }: Case): Ask {
  const isAffected = !isWhole(ask) && rows.some(({ row }) => !isRow(row));
  return isAffected && ask.page === 'edges' ? { ...ask, page: 'nodes' } : ask;
}
