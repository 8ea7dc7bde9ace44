import { expect, test } from 'vitest';
import { groupWalks, type RestCall } from '../../src/graphiql/explain.ts';

function call(cursor: string | null, change: Partial<RestCall> = {}): RestCall {
  const parameters = [
    ['administration_id', '1'],
    ['per_page', '500'],
    ...(cursor ? [['cursor', cursor]] : []),
  ];
  return {
    method: 'GET',
    path: '/v1/debtors',
    parameters: parameters.map(([name = '', value = '']) => [name, value] as const),
    status: 200,
    milliseconds: 2,
    bytes: 100,
    rows: 500,
    source: 'network',
    ...change,
  };
}

test('the pages of a list are one walk, with the sums of their figures', () => {
  const calls = [call(null), call('a'), call('b', { rows: 200, bytes: 40, milliseconds: null })];
  expect(groupWalks(calls)).toEqual([
    {
      pages: 3,
      calls,
      total: {
        ...call(null),
        parameters: [['administration_id', '1']],
        rows: 1200,
        bytes: 240,
        milliseconds: 4,
      },
    },
  ]);
});

test('lists whose pages alternate are walks of their own, in the order of their first pages', () => {
  const other = { path: '/v1/companies' };
  const walks = groupWalks([call(null), call(null, other), call('a'), call('a', other)]);
  expect(walks.map(({ total, pages }) => [total.path, pages])).toEqual([
    ['/v1/debtors', 2],
    ['/v1/companies', 2],
  ]);
});

test('a call that differs in another parameter is of another list', () => {
  expect(groupWalks([call(null), call('a', { parameters: [['cursor', 'a']] })])).toHaveLength(2);
});

test('one page that was retried is no walk: each attempt stays', () => {
  const calls = [call(null, { status: 503 }), call(null)];
  expect(groupWalks(calls)).toEqual(calls.map((one) => ({ total: one, calls: [one], pages: 1 })));
});

test('a walk shows its worst status, and counts a page that was retried once', () => {
  const [walk] = groupWalks([call(null), call('a', { status: 503, rows: null }), call('a')]);
  expect(walk).toMatchObject({ pages: 2, total: { status: 503, rows: 1000 } });
});

test.each([
  ['network', 'cache', 'several'],
  ['cache', 'cache', 'cache'],
])('pages from %s and %s are from %s', (first, second, source) => {
  expect(groupWalks([call(null, { source: first }), call('a', { source: second })])).toMatchObject([
    { total: { source } },
  ]);
});
