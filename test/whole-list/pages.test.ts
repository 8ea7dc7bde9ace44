import fc from 'fast-check';
import { expect, test } from 'vitest';
import { present } from '../support/present.ts';
import { casesOf } from '../support/search.ts';
import { expectedAnswer } from './answers.ts';
import { type Ask, askOf, orderOf, type Setting, settings } from './generate.ts';
import { rowsOf } from './generate-rows.ts';
import { filterRows, type Place, placeOf, type Row } from './model.ts';
import { expectAnswer, run, serveRows, useLists } from './run.ts';
import { isObject } from './values.ts';

const gateway = await useLists();

/** Describes the changes between two pages, and the row of the first after which the second starts. */
interface Step {
  readonly removed: readonly string[];
  readonly written: readonly Row[];
  readonly from: number;
}

const walks = settings.chain((setting) =>
  fc.record({
    setting: fc.constant(setting),
    ask: pagedAsk(setting),
    steps: fc.array(stepOf(setting), { maxLength: 6 }),
  }),
);

/** A list by pages, filtered or ordered. */
function pagedAsk(setting: Setting): fc.Arbitrary<Ask> {
  return fc
    .tuple(askOf(setting), orderOf(setting.spec, setting.fields), fc.integer({ min: 1, max: 7 }))
    .map(([ask, orderBy, first]) => ({
      ...ask,
      where: { ...ask.where, and: [] },
      orderBy,
      first,
      page: 'edges',
      groups: [],
    }));
}

function stepOf({ fields, pools }: Setting): fc.Arbitrary<Step> {
  return fc.record({
    removed: fc.subarray([...pools.key], { maxLength: Math.min(3, pools.key.length) }),
    written: rowsOf(fields, pools).map((rows) => rows.slice(0, 3)),
    from: fc.nat({ max: 6 }),
  });
}

test('pages by cursor equal those of the model, and skip nothing despite writes between them', async () => {
  const property = fc.asyncProperty(walks, ({ setting, ask, steps }) => walk(setting, ask, steps));
  await fc.assert(property, { numRuns: casesOf({ short: 5, long: 600 }) });
});

async function walk(setting: Setting, ask: Ask, steps: readonly Step[]) {
  const { spec, perPage } = setting;
  let rows = setting.rows;
  const untouched = new Set(rows);
  const taken: string[] = [];
  let after: { readonly cursor: string; readonly place: Place } | undefined;
  for (let index = 0; index <= 200; index += 1) {
    serveRows(gateway.rest, spec, rows, perPage);
    const answer = await run(gateway, { spec, asks: [ask] }, after?.cursor);
    const expected = expectedAnswer(spec, rows, ask, after?.place);
    const connection = expectAnswer(answer, 'a0', expected);

    const { page } = expected;
    // The reader continues after any row of the page, and reads all of the last page.
    const step = steps[index];
    const isLast = !hasNextPage(connection);
    const last = isLast || !step ? page.length - 1 : step.from % page.length;
    taken.push(...page.slice(0, last + 1).map(({ id }) => id));
    if (isLast) break;
    after = { cursor: cursorAt(connection, last), place: placeOf(present(page[last]), ask.orderBy) };
    if (step) rows = write(rows, step, untouched);
  }
  const ids = filterRows(spec, [...untouched], ask.where ?? {}).map(({ id }) => id);
  const times = ids.map((id) => taken.filter((one) => one === id).length);
  expect(times).toEqual(ids.map(() => 1));
}

function hasNextPage(connection: unknown): boolean {
  return isObject(connection) && isObject(connection.pageInfo) && connection.pageInfo.hasNextPage === true;
}

function cursorAt(connection: unknown, index: number): string {
  const edges: unknown = isObject(connection) ? connection.edges : undefined;
  const edge: unknown = Array.isArray(edges) ? edges[index] : undefined;
  return isObject(edge) && typeof edge.cursor === 'string' ? edge.cursor : expect.fail('there is no cursor');
}

function write(rows: readonly Row[], { removed, written }: Step, untouched: Set<Row>): Row[] {
  const isGone = ({ id }: Row) => removed.includes(id);
  const next = rows
    .filter((row) => !isGone(row))
    .map((row) => written.find(({ id }) => id === row.id) ?? row);
  for (const row of untouched) if (!next.includes(row)) untouched.delete(row);
  return [...next, ...written.filter(({ id }) => !next.some((row) => row.id === id))];
}
